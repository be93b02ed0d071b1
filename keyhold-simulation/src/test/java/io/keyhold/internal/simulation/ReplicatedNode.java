package io.keyhold.internal.simulation;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.redis.ScriptRequest;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server that is a master, or follows one and has what has arrived of it so far. A master that another was promoted beside goes on until it
 * is told, with the replicas that have not left it yet.
 *
 * <p>Replication is a log of operations: a replica has the beginning of its master's, and executes it, each operation at the time at which the
 * master did, when it is promoted.
 */
final class ReplicatedNode extends SimulatedNode {

    private static final GrantSubscription.Listener SILENT = new SilentListener();
    private static final long SYNC_AGAIN = 200 * FaultProfile.MILLI;

    private final Simulation simulation;
    private final FaultProfile profile;
    private final Mutation mutation;
    private final ReplayClock time;
    private final List<Wait> waits = new ArrayList<>();
    /** What followers have acknowledged. */
    private final Map<ReplicatedNode, Integer> acknowledged = new LinkedHashMap<>();

    private List<Entry> log = new ArrayList<>();
    private ReplicaData data;
    private @Nullable ReplicatedNode master;
    private String identity = "";
    private int identities;
    /** Counts its connections to masters, so that nothing arrives of one that has ended. */
    private int connection;

    private boolean synced;
    /** How much of the log the data show, if they are those of a replica. */
    private int rebuilt;

    private long stalledUntil;
    private long lastArrival;
    /** The last promotion that it knows of: it follows no master of an earlier one. */
    private int epoch;

    /** One operation, and when it was executed. */
    private record Entry(long nanos, long wallMillis, Function<Target, @Nullable Object> work) {}

    /** Data, and whether subscribers are to be told of what happens to it. */
    private record Target(ReplicaData data, boolean live) {}

    private record Wait(int position, int replicas, CompletableFuture<Long> reply) {}

    ReplicatedNode(Simulation simulation, FaultProfile profile, String name, SimulatedClock clock, Mutation mutation) {
        super(simulation, name, clock, mutation);
        this.simulation = simulation;
        this.profile = profile;
        this.mutation = mutation;
        this.time = new ReplayClock(clock);
        this.data = new ReplicaData(time);
    }

    boolean isMaster() {
        return master == null;
    }

    /** A replica executes what it has got when it is asked. */
    @Override
    NodeStore store() {
        if (!isMaster() && rebuilt != log.size()) {
            rebuild();
        }
        return data.store();
    }

    @Override
    String grantChannel(String client) {
        return ScriptRequest.grantChannel(client) + ":" + incarnation();
    }

    /** Begins as the master of a new group, which may grant. */
    void found() {
        identity = newIdentity();
        String mayGrant = identity;
        execute(target -> {
            target.data().admit(mayGrant);
            return null;
        });
    }

    private String newIdentity() {
        return name() + "_" + ++identities;
    }

    /** That of its master, if it is a replica. */
    private String incarnation() {
        return master == null ? identity : master.incarnation();
    }

    /** Executes commands of one connection, in order. A {@code WAIT} comes last. */
    CompletionStage<List<@Nullable Object>> execute(List<RedisCall> calls) {
        List<@Nullable Object> replies = new ArrayList<>();
        String script = "";
        for (RedisCall call : calls) {
            if (call.command().equals("WAIT")) {
                int replicas = Integer.parseInt(call.arguments().get(0));
                long timeout = Long.parseLong(call.arguments().get(1)) * FaultProfile.MILLI;
                CompletionStage<Long> count = mutation.waitsBehind(script)
                        ? acknowledged(replicas, timeout)
                        : CompletableFuture.completedStage((long) replicas);
                return count.thenApply(number -> {
                    replies.add(number);
                    return replies;
                });
            }
            ScriptRequest request = ScriptRequest.read(call).orElse(null);
            if (request == null) {
                replies.add(plain(call));
            } else if (!isMaster()) {
                return CompletableFuture.failedStage(
                        new RedisErrorException("READONLY You can't write against a read only replica."));
            } else {
                script = request.script();
                replies.add(run(request));
            }
        }
        return CompletableFuture.completedStage(replies);
    }

    private @Nullable Object run(ScriptRequest request) {
        String incarnation = identity;
        long replicas = acknowledged.size();
        return execute(target -> target.data().execute(request, incarnation, replicas, mutation.comparesMarker()));
    }

    private Object plain(RedisCall call) {
        String channel = call.arguments().get(call.arguments().size() > 1 ? 1 : 0);
        switch (call.command()) {
            case "PUBSUB" -> {
                return List.of(channel, isMaster() && data.hasSubscriber(channel) ? 1L : 0L);
            }
            case "PUBLISH" -> {
                data.probe(call.arguments().get(0));
                return 0L;
            }
            case "INFO" -> {
                return "role:" + (isMaster() ? "master" : "slave") + "\r\nmaster_replid:" + incarnation() + "\r\n";
            }
            default -> throw new IllegalArgumentException("the simulated server has no " + call.command());
        }
    }

    /** Writes: its replicas get this later. */
    private @Nullable Object execute(Function<Target, @Nullable Object> work) {
        Entry entry = new Entry(clock().monotonicNanos(), clock().wallMillis(), work);
        Object result = work.apply(new Target(data, true));
        log.add(entry);
        acknowledged.keySet().forEach(ReplicatedNode::receive);
        return result;
    }

    /** Receives what its master has written so far, after a while. */
    private void receive() {
        ReplicatedNode from = master;
        if (!synced || from == null) {
            return; // It gets all of it with the synchronization.
        }
        int through = connection;
        List<Entry> source = from.log;
        int position = source.size();
        lastArrival = Math.max(lastArrival, Math.max(simulation.now(), stalledUntil) + profile.delay());
        simulation.at(lastArrival, () -> {
            if (isUp() && connection == through && log.size() < position) {
                log.addAll(source.subList(log.size(), position));
                acknowledge(from, through);
            }
        });
    }

    private void acknowledge(ReplicatedNode to, int through) {
        int position = log.size();
        String incarnation = to.identity;
        simulation.after(profile.delay(), () -> {
            if (connection == through && to.isUp() && to.isMaster() && to.identity.equals(incarnation)) {
                to.acknowledged.merge(this, position, Math::max);
                to.answerWaits();
            }
        });
    }

    private CompletionStage<Long> acknowledged(int replicas, long timeout) {
        Wait wait = new Wait(log.size(), replicas, new CompletableFuture<>());
        waits.add(wait);
        answerWaits();
        simulation.after(timeout, () -> {
            if (waits.remove(wait)) {
                wait.reply().complete(count(wait));
            }
        });
        return wait.reply();
    }

    private long count(Wait wait) {
        return acknowledged.values().stream()
                .filter(position -> position >= wait.position())
                .count();
    }

    private void answerWaits() {
        List<Wait> enough =
                waits.stream().filter(wait -> count(wait) >= wait.replicas()).toList();
        waits.removeAll(enough);
        enough.forEach(wait -> wait.reply().complete(count(wait)));
    }

    /** Follows this master, unless it knows of a later promotion. A master becomes a replica by that. */
    void follow(ReplicatedNode next, int promotion) {
        if (next == this || epoch >= promotion) {
            return;
        }
        simulation.note(name(), "follows", () -> next.name() + (isMaster() ? ", and was a master" : ""));
        if (isMaster()) {
            demoted();
        }
        leave();
        // An order of an earlier promotion may be late, and the server has been promoted again meanwhile.
        epoch = Math.max(promotion, next.epoch);
        master = next;
        beginSync();
    }

    private void demoted() {
        rebuilt = -1;
        cutAll();
        List<Wait> blocked = List.copyOf(waits);
        waits.clear();
        blocked.forEach(
                wait -> wait.reply()
                        .completeExceptionally(
                                new RedisErrorException(
                                        "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)")));
        acknowledged.clear();
    }

    private void leave() {
        if (master != null) {
            master.acknowledged.remove(this);
        }
        connection++;
        synced = false;
    }

    private void beginSync() {
        int through = connection;
        simulation.after(simulation.between(10 * FaultProfile.MILLI, 500 * FaultProfile.MILLI), () -> sync(through));
    }

    /** Gets all that its master has, without delay. */
    void syncNow() {
        sync(connection);
    }

    private void sync(int through) {
        ReplicatedNode from = master;
        if (connection != through || from == null || synced) {
            return;
        }
        if (!isUp() || !from.isUp() || !from.isMaster() || stalledUntil > simulation.now()) {
            simulation.after(SYNC_AGAIN, () -> sync(through));
            return;
        }
        log = new ArrayList<>(from.log);
        rebuilt = -1;
        synced = true;
        lastArrival = simulation.now();
        from.acknowledged.put(this, 0);
        acknowledge(from, through);
    }

    /** Becomes a master, with what it has: other incarnations may have granted what it does not know of. */
    void promote(int promotion) {
        simulation.note(name(), "is promoted", () -> "with " + log.size() + " operations");
        leave();
        epoch = promotion;
        master = null;
        begin();
    }

    /** Begins a new incarnation as a master. */
    private void begin() {
        identity = newIdentity();
        acknowledged.clear();
        waits.clear();
        rebuild();
        execute(target -> {
            target.data().closeAll();
            return null;
        });
    }

    private void rebuild() {
        data = new ReplicaData(time);
        for (Entry entry : log) {
            time.set(entry);
            Object unused = entry.work().apply(new Target(data, false));
        }
        time.live();
        rebuilt = log.size();
    }

    /** Nothing arrives from its master for this long. */
    void lag(long nanos) {
        simulation.note(name(), "lags", () -> nanos / FaultProfile.MILLI + " ms");
        stalledUntil = Math.max(stalledUntil, simulation.now() + nanos);
    }

    /** It returns with the same role. A master loses what it had not written to disk, or everything, and is another incarnation. */
    @Override
    void crash(boolean withMemory) {
        super.crash(withMemory);
        waits.clear();
        int kept = withMemory ? (int) simulation.between(log.size() - log.size() / 8, log.size() + 1) : 0;
        log = new ArrayList<>(log.subList(0, kept));
        rebuilt = -1;
        List<ReplicatedNode> followers = List.copyOf(acknowledged.keySet());
        if (isMaster()) {
            begin();
            followers.forEach(ReplicatedNode::syncAgain);
        } else {
            syncAgain();
        }
    }

    private void syncAgain() {
        leave();
        beginSync();
    }

    /** A replica accepts subscribers, too, and counts them for itself only. */
    @Override
    GrantSubscription openGrantChannel(String channel, GrantSubscription.Listener listener) {
        if (isMaster()) {
            execute(target -> {
                target.data().open(channel, target.live() ? listener : SILENT);
                return null;
            });
        }
        ReplicaData at = data;
        return new GrantSubscription() {
            @Override
            public String address() {
                return channel;
            }

            @Override
            public CompletionStage<Boolean> probe() {
                throw new UnsupportedOperationException("the client asks by PUBLISH and PUBSUB");
            }

            @Override
            public void close() {
                if (data == at && isMaster()) {
                    execute(target -> {
                        target.data().close(channel);
                        return null;
                    });
                }
            }
        };
    }

    /** Shows the time of the operation that is executed again, else that of the server. */
    private static final class ReplayClock implements KeyholdClock {

        private final KeyholdClock clock;
        private @Nullable Entry entry;

        ReplayClock(KeyholdClock clock) {
            this.clock = clock;
        }

        void set(Entry at) {
            entry = at;
        }

        void live() {
            entry = null;
        }

        @Override
        public long monotonicNanos() {
            return entry == null ? clock.monotonicNanos() : entry.nanos();
        }

        @Override
        public long wallMillis() {
            return entry == null ? clock.wallMillis() : entry.wallMillis();
        }
    }

    private static final class SilentListener implements GrantSubscription.Listener {
        @Override
        public void granted(GrantNotice notice) {}

        @Override
        public void freed(long number) {}

        @Override
        public void probed() {}

        @Override
        public void ended(Throwable reason) {}
    }
}
