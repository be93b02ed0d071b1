package io.keyhold.internal.simulation;

import io.keyhold.KeyholdClock;
import io.keyhold.inspect.LockHolder;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.AcquireRequest.Coming;
import io.keyhold.internal.store.AcquireRequest.Detail;
import io.keyhold.internal.store.AcquireRequest.IfBusy;
import io.keyhold.internal.store.AcquireRequest.IfFree;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.memory.MemoryStore;
import io.keyhold.internal.store.redis.ScriptRequest;
import io.keyhold.spi.CallMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What one server of a replicated group has: locks, their queues, and the marker of the incarnation that may grant. Executes the scripts of a
 * lock, with replies of the same form as theirs. The locks are those of the real store in memory; the marker is as in {@code arm.lua} and
 * {@code quarantine.lua}.
 */
final class ReplicaData {

    private static final int KEYS_WITH_MARKER = 5;

    private final KeyholdClock clock;
    private final MemoryStore memory;
    private final NodeStore store;
    private final Map<String, GrantSubscription> channels = new LinkedHashMap<>();
    private String marker = "";

    ReplicaData(KeyholdClock clock) {
        this.clock = clock;
        this.memory = new MemoryStore(clock);
        this.store = new DelegatingStore(memory);
    }

    NodeStore store() {
        return store;
    }

    /** This incarnation may grant: an operator has said so. */
    void admit(String identity) {
        marker = identity;
    }

    void open(String channel, GrantSubscription.Listener listener) {
        channels.put(channel, now(memory.openGrantChannel(channel, listener)));
    }

    void close(String channel) {
        GrantSubscription subscription = channels.remove(channel);
        if (subscription != null) {
            subscription.close();
        }
    }

    /** Clients subscribe at a server, and not at its data: a server that takes over has no subscribers. */
    void closeAll() {
        List.copyOf(channels.keySet()).forEach(this::close);
    }

    boolean hasSubscriber(String channel) {
        return channels.containsKey(channel);
    }

    void probe(String channel) {
        GrantSubscription subscription = channels.get(channel);
        if (subscription != null) {
            now(subscription.probe());
        }
    }

    /**
     * Executes a script.
     *
     * @param identity of the incarnation of the server that executes it
     * @param replicas how many it has
     * @param compares whether scripts that acquire compare the marker with the incarnation
     */
    @Nullable
    Object execute(ScriptRequest call, String identity, long replicas, boolean compares) {
        return switch (call.script()) {
            case "acquire" -> acquire(call, identity, compares);
            case "release" -> release(call);
            case "rest" -> rest(call);
            case "renew" -> renew(call);
            case "arm" -> arm(call, identity, replicas);
            default -> throw new IllegalArgumentException("the simulated server has no script " + call.script());
        };
    }

    private Object acquire(ScriptRequest call, String identity, boolean compares) {
        Claim.Lock claim = new Claim.Lock(call.keys().get(0));
        String token = call.arguments().get(0);
        String how = call.argument(2).orElse("");
        Optional<QueuePlace> place = call.argument(3).flatMap(QueuePlace::read);
        boolean isInQuarantine = compares && call.keys().size() == KEYS_WITH_MARKER && !marker.equals(identity);
        if (isInQuarantine && (place.isEmpty() || holds(claim.key(), token))) {
            return inQuarantine();
        }
        AcquireRequest request = new AcquireRequest(
                claim,
                token,
                Long.parseLong(call.arguments().get(1)),
                isInQuarantine || how.equals("leave") ? IfFree.LEAVE : IfFree.TAKE,
                new IfBusy(place, how.equals("rejoin") ? Coming.AGAIN : Coming.FIRST, Detail.FULL));
        AcquireReply reply = now(memory.acquire(request, CallMode.ASYNCHRONOUS, () -> {}));
        if (isInQuarantine) {
            return inQuarantine();
        }
        if (reply instanceof AcquireReply.Granted granted) {
            return Long.toString(granted.fencingToken());
        }
        AcquireReply.Busy busy = (AcquireReply.Busy) reply;
        return list(busy.holder().orElse(null), busy.remainingMillis().orElse(-2), micros(), 1L);
    }

    private List<@Nullable Object> inQuarantine() {
        return list(null, -2L, micros(), 1L, marker);
    }

    private boolean holds(String key, String token) {
        return now(memory.look(key, CallMode.ASYNCHRONOUS)).holders().stream()
                .map(LockHolder::token)
                .anyMatch(token::equals);
    }

    private Object release(ScriptRequest call) {
        return reply(now(memory.release(
                new ReleaseRequest(
                                new Claim.Lock(call.keys().get(0)),
                                call.token(),
                                call.argument(2).flatMap(QueuePlace::read))
                        .replyingTo(call.argument(1).filter(channel -> !channel.isEmpty())),
                CallMode.ASYNCHRONOUS)));
    }

    private Object rest(ScriptRequest call) {
        return reply(now(memory.release(
                new ReleaseRequest(
                                new Claim.Lock(call.keys().get(0)),
                                call.arguments().get(0),
                                call.argument(3).flatMap(QueuePlace::read))
                        .resting(Long.parseLong(call.arguments().get(2))),
                CallMode.ASYNCHRONOUS)));
    }

    private Object renew(ScriptRequest call) {
        List<RenewRequest> requests = new ArrayList<>();
        int count = call.keys().size();
        for (int i = 0; i < count; i++) {
            String lease =
                    call.argument(count + i).orElseGet(() -> call.arguments().get(count));
            requests.add(new RenewRequest(
                    new Claim.Lock(call.keys().get(i)), call.arguments().get(i), Long.parseLong(lease)));
        }
        return now(memory.renew(requests, CallMode.ASYNCHRONOUS)).stream()
                .map(ReplicaData::reply)
                .toList();
    }

    private static Object reply(HoldReply reply) {
        if (reply instanceof HoldReply.NotHeld not) {
            return list(0L, not.holder().orElse(null));
        }
        List<GrantNotice> grants = ((HoldReply.Done) reply).grants();
        if (grants.isEmpty()) {
            return 1L;
        }
        GrantNotice grant = grants.get(0);
        return grant.number() + " " + grant.fencingToken() + " " + grant.atMicros();
    }

    private Object arm(ScriptRequest call, String identity, long replicas) {
        if (marker.equals(identity)) {
            return List.of(1L, replicas, 0L);
        }
        long most = Long.parseLong(call.arguments().get(0));
        String name = call.arguments().get(1);
        boolean isOver = false;
        if (marker.startsWith("!" + identity + " ")) {
            String[] known = marker.split(" ", -1);
            name = known[1];
            most = Math.max(Long.parseLong(known[2]), most);
            isOver = call.arguments().get(2).equals(name)
                    && Long.parseLong(call.arguments().get(3)) >= most;
        }
        marker = isOver ? identity : "!" + identity + " " + name + " " + most;
        return isOver ? List.of(1L, replicas, 1L) : List.of(2L, replicas, name, most);
    }

    private long micros() {
        return clock.monotonicNanos() / 1_000;
    }

    private static List<@Nullable Object> list(@Nullable Object... parts) {
        return Arrays.asList(parts);
    }

    /** The store in memory replies at once. */
    private static <T> T now(CompletionStage<T> reply) {
        return reply.toCompletableFuture().join();
    }
}
