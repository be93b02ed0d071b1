package io.keyhold.internal.store.cluster;

import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantSource;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.redis.DurableSetup;
import io.keyhold.internal.store.redis.HashSlot;
import io.keyhold.internal.store.redis.ScriptStore;
import io.keyhold.internal.store.redis.Task;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Locks in a Redis Cluster: each operation goes to the primary that has the key, and is there what it is on a single server. The keys that
 * Keyhold keeps beside a lock are in its slot, so that they move with it, and no operation needs two nodes.
 */
public final class ClusterStore implements LockStore {

    private final DurableSetup setup;
    private final ClusterTopology topology;
    private final ClusterCalls calls;
    private final ClusterRenewal renewal;

    /**
     * Creates the store. Opens no connection.
     *
     * @param cluster opens the nodes; closed with this store
     * @param clientId tells this client from every other
     */
    public ClusterStore(RedisCluster cluster, String clientId, DurableSetup setup) {
        this.setup = setup;
        this.topology = new ClusterTopology(cluster, clientId, setup);
        this.calls = new ClusterCalls(topology);
        this.renewal = new ClusterRenewal(calls);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        return StoreFailure.unless(
                refusal(request.claim(), request.leaseMillis()),
                () -> calls.onPrimary(
                        request.claim().key(),
                        mode,
                        () -> Task.on("acquire", request.claim()),
                        (store, how) ->
                                store.acquire(request, how, sending).thenApply(reply -> dated(reply, request, store))));
    }

    /** Leaves out the time of a server whose clock the request does not mean (see {@link LockStore#grantSource}). */
    private static AcquireReply dated(AcquireReply reply, AcquireRequest request, ScriptStore store) {
        boolean meant = request.ifBusy()
                .place()
                .map(QueuePlace::channel)
                .filter(store::isGrantChannel)
                .isPresent();
        return reply instanceof AcquireReply.Busy busy && !meant
                ? new AcquireReply.Busy(
                        busy.holder(), busy.remainingMillis(), OptionalLong.empty(), busy.kind(), busy.detail())
                : reply;
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        return calls.onPrimary(
                request.claim().key(),
                mode,
                () -> Task.on("release", request.claim()),
                (store, how) -> store.release(request, how));
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        return renewal.renew(requests, mode);
    }

    @Override
    public CompletionStage<LockSnapshot> look(String key, CallMode mode) {
        return calls.onPrimary(key, mode, () -> looking(key), (store, how) -> store.look(key, how));
    }

    @Override
    public CompletionStage<Optional<LockSnapshot>> lookAtPermits(String key, CallMode mode) {
        return calls.onPrimary(key, mode, () -> looking(key), (store, how) -> store.lookAtPermits(key, how));
    }

    private static Task looking(String key) {
        return Task.on("look at", key, Optional.empty());
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return calls.onPrimary(
                key,
                mode,
                () -> Task.on("force the release of", key, Optional.empty()),
                (store, how) -> store.forceRelease(key, how));
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        return calls.onPrimary(
                key,
                mode,
                () -> Task.on("resize semaphore", key, Optional.empty()),
                (store, how) -> store.resize(key, said, permits, how));
    }

    /** One primary after the other, by address. A cursor is the address of one and the cursor there. */
    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        return calls.onMap(mode, () -> Task.of("list locks like '" + pattern + "'"), (map, how) -> {
            int space = cursor.indexOf(' ');
            String from = space < 0 ? "" : cursor.substring(0, space);
            List<ClusterNode> left = map.primaries().stream()
                    .filter(node -> node.toString().compareTo(from) >= 0)
                    .toList();
            if (left.isEmpty()) {
                return CompletableFuture.completedStage(new Page(List.of(), Page.EDGE));
            }
            ClusterNode node = left.get(0);
            String inside = node.toString().equals(from) ? cursor.substring(space + 1) : Page.EDGE;
            String next = left.size() > 1 ? left.get(1) + " " + Page.EDGE : Page.EDGE;
            return node.store()
                    .list(pattern, inside, how)
                    .thenApply(page -> new Page(page.locks(), page.isLast() ? next : node + " " + page.cursor()));
        });
    }

    @Override
    public GrantSource grantSource(String key) {
        return topology.known()
                .<GrantSource>flatMap(map -> map.owner(HashSlot.ofKey(key)).map(owner -> owner))
                .orElse(this);
    }

    @Override
    public void onMoves(Runnable action) {
        topology.onMoves(action);
    }

    @Override
    public Optional<String> refusal(Claim claim, long leaseMillis) {
        return setup.refusal(leaseMillis);
    }

    /** A script can lock several keys at once only if one node has them all, whatever becomes of the cluster. */
    @Override
    public Optional<String> refusalOfSeveral(List<String> keys) {
        Map<Integer, String> slots =
                keys.stream().collect(Collectors.toMap(HashSlot::ofKey, key -> key, (first, second) -> first));
        return slots.size() == 1
                ? Optional.empty()
                : Optional.of("allOf in a Redis Cluster needs keys of one hash slot, but "
                        + new Claim.Locks(keys, List.of()).text()
                        + " are in " + slots.size() + "; give them a common {tag}, such as {order:42}:stock and"
                        + " {order:42}:invoice");
    }

    @Override
    public void trim() {
        topology.trim();
    }

    @Override
    public void close() {
        topology.close();
    }

    @Override
    public String toString() {
        return Formats.cut(topology.toString(), 200);
    }
}
