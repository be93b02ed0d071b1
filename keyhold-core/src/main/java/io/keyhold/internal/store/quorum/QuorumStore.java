package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdClock;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.Snapshots;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/**
 * Locks on several independent stores, held by the client that holds a majority of them (the algorithm known as Redlock, with fencing
 * tokens: {@link QuorumAcquire}). All nodes are asked in parallel, and none is waited for when a majority is certain. A release hands
 * the lock to no waiter: waiters ask again after a random pause, or as soon as a majority of nodes notifies them of a release.
 */
public final class QuorumStore implements LockStore {

    private final Quorum quorum;
    private final List<LockStore> owned;
    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final InFlightVotes inFlight = new InFlightVotes();
    private final NodeReleasers releasers;
    private final QuorumAcquire acquire;
    private final QuorumRenew renew;
    private final QuorumRelease release;
    private final QuorumViews views;
    private volatile Optional<QuorumGrantSubscription> subscription = Optional.empty();

    /**
     * Creates a store of these nodes.
     *
     * @param owned the stores among the nodes that are closed with this one
     */
    public QuorumStore(
            List<? extends VotingNode> nodes,
            List<? extends LockStore> owned,
            QuorumSettings settings,
            KeyholdClock clock,
            Scheduler scheduler,
            RandomGenerator random) {
        this.quorum = new Quorum(List.copyOf(nodes), settings);
        this.owned = List.copyOf(owned);
        this.scheduler = scheduler;
        this.random = random;
        this.releasers = new NodeReleasers(quorum, clock, scheduler);
        Broadcast broadcast = new Broadcast(scheduler);
        VoteRequests votes = new VoteRequests(quorum, clock);
        this.acquire = new QuorumAcquire(quorum, votes, broadcast, inFlight, releasers, scheduler);
        this.renew = new QuorumRenew(quorum, votes, broadcast, inFlight, releasers);
        this.release = new QuorumRelease(quorum, broadcast, inFlight, releasers);
        this.views = new QuorumViews(quorum, broadcast);
    }

    /** A rejected token, or its release, may still be in flight to some node: it is not used again. */
    @Override
    public boolean usesTokensOnce() {
        return true;
    }

    /** Each node has a queue of its own, and the head of one may be last in another. */
    @Override
    public boolean keepsOrder() {
        return false;
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        return StoreFailure.unless(
                refusal(request.claim(), request.leaseMillis()),
                () -> acquire.acquire(
                        request, node -> placeAt(node, request.ifBusy().place()), mode, sending));
    }

    private Optional<QueuePlace> placeAt(VotingNode node, Optional<QueuePlace> place) {
        return place.flatMap(waiter -> subscription.flatMap(open -> open.placeAt(node, waiter)));
    }

    @Override
    public Optional<String> refusal(LockKind kind) {
        return switch (kind) {
            case LOCK -> Optional.empty();
            case SEMAPHORE ->
                Optional.of(
                        "semaphores are not supported on a quorum: permits counted by majorities can be granted too often"
                                + " (three nodes with two permits each can admit three); use one server");
            case READ_WRITE ->
                Optional.of(
                        "read/write locks are not supported on a quorum, which cannot count permits; use a lock, or one server");
        };
    }

    @Override
    public Optional<String> refusal(Claim claim, long leaseMillis) {
        return refusal(Snapshots.kind(claim))
                .or(() -> StoreFailure.tooLong(
                        leaseMillis,
                        quorum.settings().longestLease(),
                        "lease must be at most longestLease (%s) on a quorum, was %s"));
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        return release.release(request, node -> placeAt(node, request.place()), mode);
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        return StoreFailure.unless(refusal(requests), () -> renew.renew(requests));
    }

    @Override
    public CompletionStage<LockSnapshot> look(String key, CallMode mode) {
        return views.look(key);
    }

    @Override
    public CompletionStage<Optional<LockSnapshot>> lookAtPermits(String key, CallMode mode) {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        return views.list(pattern, cursor);
    }

    @Override
    public CompletionStage<Optional<QuorumSnapshot>> quorum() {
        return views.nodes().thenApply(nodes -> Optional.of(acquire.snapshot(nodes)));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return views.forceRelease(key);
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        return CompletableFuture.failedStage(
                new UnsupportedOperationException("semaphores are not supported on a quorum"));
    }

    @Override
    public CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener) {
        QuorumGrantSubscription opened = new QuorumGrantSubscription(quorum, scheduler, random, listener);
        subscription = Optional.of(opened);
        return opened.open().thenApply(Optional::of);
    }

    /**
     * Done when every node has replied, and not just enough of them: a lock that was released should be gone everywhere, and one that
     * was handed off should be everywhere.
     */
    @Override
    public CompletionStage<Void> settled() {
        return inFlight.settled().thenCompose(replied -> releasers.unfinished());
    }

    @Override
    public void trim() {
        owned.forEach(LockStore::trim);
    }

    @Override
    public void close() {
        owned.forEach(LockStore::close);
    }
}
