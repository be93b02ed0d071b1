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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sentinels of one master. All are asked at once. The first majority of replies decides, and among them the one with the newest
 * configuration: a sentinel that was cut off from the others still names the master of an older one.
 */
final class Sentinels {

    private static final String SWITCH = "+switch-master";

    private final String master;
    private final List<RedisDriver> drivers;
    private final Runnable switched;
    private final AtomicBoolean subscribed = new AtomicBoolean();

    /** What one sentinel says. */
    private record Opinion(RedisAddress master, long epoch) {}

    /** Counts the replies to one question. */
    private final class Poll {

        private final CompletableFuture<RedisAddress> result = new CompletableFuture<>();
        private final List<Opinion> opinions = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();
        private @Nullable RedisErrorException refusal;

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
                if (cause instanceof RedisErrorException error) {
                    refusal = error;
                }
                failures.add(sentinel + ": " + (cause == null ? "unexpected reply" : cause.getMessage()));
            }
            boolean all = opinions.size() + failures.size() == drivers.size();
            Optional<Opinion> newest = opinions.stream().max(Comparator.comparingLong(Opinion::epoch));
            if (newest.isPresent() && (all || opinions.size() > drivers.size() / 2)) {
                return () -> result.complete(newest.get().master());
            }
            return all ? () -> result.completeExceptionally(failure()) : () -> {};
        }

        /** A sentinel that replies but does not know the master is a mistake in the URI, which waiting does not cure. */
        private RuntimeException failure() {
            String each = String.join("; ", failures);
            return refusal != null
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
                        if (text.startsWith(master + " ")) {
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
                    Long.parseLong(field(fields, "config-epoch"))));
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
