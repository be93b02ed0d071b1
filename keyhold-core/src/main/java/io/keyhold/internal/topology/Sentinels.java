package io.keyhold.internal.topology;

import io.keyhold.spi.CallMode;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisAddress;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.Stages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sentinels of one master. All are asked at once. The first majority of replies decides, and among them the one with the newest
 * configuration: a sentinel that was cut off from the others still names the master of an older one, and so does for some time the one that
 * leads a failover, with the epoch of the new one.
 *
 * <p>After an announcement of a new master, a majority is enough only if one of them names that: the others may not know of it, and the old one
 * says for seconds that it is a master.
 */
final class Sentinels {

    private static final String SWITCH = "+switch-master";

    private final String master;
    private final List<RedisDriver> drivers;
    private final Runnable switched;
    private final AtomicBoolean subscribed = new AtomicBoolean();
    /** What was announced, until a question that was asked after it is decided. */
    private final AtomicReference<@Nullable String> announced = new AtomicReference<>();

    /** What one sentinel says; {@code leads} tells that it leads a failover, and still names the master that is being replaced. */
    private record Opinion(RedisAddress master, long epoch, boolean leads) {

        static final Comparator<Opinion> OLDEST_FIRST =
                Comparator.comparingLong(Opinion::epoch).thenComparing(Opinion::leads, Comparator.reverseOrder());

        String hostAndPort() {
            return master.host() + " " + master.port();
        }
    }

    /** Counts the replies to one question. */
    private final class Poll {

        private final CompletableFuture<RedisAddress> result = new CompletableFuture<>();
        private final @Nullable String expected = announced.get();
        private final List<Opinion> opinions = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();
        private int refusals;

        void count(String sentinel, @Nullable Object reply, @Nullable Throwable failure) {
            counted(sentinel, reply, failure).run(); // Outside the monitor: what follows calls a server.
        }

        /** Returns what completes the result, if this reply decides it. */
        private synchronized Runnable counted(String sentinel, @Nullable Object reply, @Nullable Throwable failure) {
            Optional<Opinion> opinion = failure == null ? opinion(reply) : Optional.empty();
            if (opinion.isPresent()) {
                opinions.add(opinion.get());
            } else {
                Throwable cause = failure == null ? null : Stages.unwrapped(failure);
                refusals += cause instanceof RedisErrorException ? 1 : 0;
                failures.add(sentinel + ": " + (cause == null ? "unexpected reply" : cause.getMessage()));
            }
            boolean all = opinions.size() + failures.size() == drivers.size();
            Optional<Opinion> newest = opinions.stream().max(Opinion.OLDEST_FIRST);
            if (newest.isPresent() && (all || isEnough())) {
                announced.compareAndSet(expected, null);
                return () -> result.complete(newest.get().master());
            }
            return all ? () -> result.completeExceptionally(failure()) : () -> {};
        }

        private boolean isEnough() {
            return opinions.size() > drivers.size() / 2
                    && (expected == null
                            || opinions.stream().anyMatch(opinion -> expected.equals(opinion.hostAndPort())));
        }

        /** Sentinels that all reply but do not know the master are a mistake in the URI, which waiting does not cure. */
        private RuntimeException failure() {
            String each = String.join("; ", failures);
            return refusals == drivers.size()
                    ? new RedisErrorException("ERR no sentinel knows the master '" + master
                            + "'; check the parameter 'master' and the addresses in the URI (" + each + ")")
                    : DriverFailures.notConnected(
                            "no sentinel of '" + master + "' can be reached (" + each + ")", null);
        }
    }

    Sentinels(String master, List<RedisDriver> drivers, Runnable switched) {
        this.master = master;
        this.drivers = List.copyOf(drivers);
        this.switched = switched;
    }

    /** Returns where the master is. */
    CompletableFuture<RedisAddress> master() {
        Poll poll = new Poll();
        for (RedisDriver sentinel : drivers) {
            sentinel.call(RedisCall.of("SENTINEL", "MASTER", master), CallMode.ASYNCHRONOUS)
                    .whenComplete((reply, failure) -> {
                        poll.count(sentinel.address(), reply, failure);
                        if (failure == null) {
                            listen(sentinel);
                        }
                    });
        }
        return poll.result;
    }

    /** Listens to one sentinel that replied. If that ends, the next lookup listens again. */
    private void listen(RedisDriver sentinel) {
        if (!subscribed.compareAndSet(false, true)) {
            return;
        }
        sentinel.subscribe(SWITCH, new RedisListener() {
                    @Override
                    public void onMessage(String text) {
                        String[] parts = text.split(" ", 4); // The name, the old host and port, the new ones.
                        if (parts[0].equals(master)) {
                            announced.set(parts[parts.length - 1]);
                            switched.run();
                        }
                    }

                    @Override
                    public void onClosed(Throwable reason) {
                        subscribed.set(false);
                    }
                })
                .whenComplete((subscription, failure) -> {
                    if (failure != null) {
                        subscribed.set(false);
                    }
                });
    }

    /** Reads the reply of {@code SENTINEL MASTER}: names and values in turn. */
    private static Optional<Opinion> opinion(@Nullable Object reply) {
        if (!(reply instanceof List<?> fields)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Opinion(
                    new RedisAddress(field(fields, "ip"), Integer.parseInt(field(fields, "port"))),
                    Long.parseLong(field(fields, "config-epoch")),
                    field(fields, "flags").contains("failover_in_progress")));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String field(List<?> fields, String name) {
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            if (name.equals(fields.get(i))) {
                return String.valueOf(fields.get(i + 1));
            }
        }
        return "";
    }

    void trim() {
        drivers.forEach(RedisDriver::trim);
    }

    void close() {
        drivers.forEach(RedisDriver::close);
    }

    @Override
    public String toString() {
        return "master '" + master + "' of sentinels "
                + drivers.stream().map(RedisDriver::address).collect(Collectors.joining(", "));
    }
}
