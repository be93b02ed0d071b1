package io.keyhold.internal.simulation;

import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.PendingReply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store that does what another does, except for what is overridden. It is a node of a quorum if the other is. */
class DelegatingStore implements NodeStore {

    private final LockStore right;

    DelegatingStore(LockStore right) {
        this.right = right;
    }

    private VotingNode node() {
        return (VotingNode) right;
    }

    @Override
    public String address() {
        return node().address();
    }

    @Override
    public CompletionStage<VoteReply> vote(VoteRequest request, @Nullable Consumer<PendingReply> unread) {
        return node().vote(request, unread);
    }

    @Override
    public CompletionStage<Boolean> raise(Claim claim, String token, long number) {
        return node().raise(claim, token, number);
    }

    @Override
    public CompletionStage<HoldReply> giveUp(ReleaseRequest request, @Nullable Consumer<PendingReply> unread) {
        return node().giveUp(request, unread);
    }

    @Override
    public CompletionStage<Long> quarantineMillis(VoteRequest.Admission admission) {
        return node().quarantineMillis(admission);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        return right.acquire(request, mode, sending);
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        return right.release(request, mode);
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        return right.renew(requests, mode);
    }

    @Override
    public CompletionStage<LockSnapshot> look(String key, CallMode mode) {
        return right.look(key, mode);
    }

    @Override
    public CompletionStage<Optional<LockSnapshot>> lookAtPermits(String key, CallMode mode) {
        return right.lookAtPermits(key, mode);
    }

    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        return right.list(pattern, cursor, mode);
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return right.forceRelease(key, mode);
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        return right.resize(key, said, permits, mode);
    }

    @Override
    public CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener) {
        return right.openGrantChannel(listener);
    }

    @Override
    public boolean usesTokensOnce() {
        return right.usesTokensOnce();
    }

    @Override
    public boolean keepsOrder() {
        return right.keepsOrder();
    }

    @Override
    public CompletionStage<Void> settled() {
        return right.settled();
    }

    @Override
    public void trim() {
        right.trim();
    }

    @Override
    public void close() {
        right.close();
    }

    /** The same in every run, as that of {@link Link}. */
    @Override
    public int hashCode() {
        return right.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }
}
