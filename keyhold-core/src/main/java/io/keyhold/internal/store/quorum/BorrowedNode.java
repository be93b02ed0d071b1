package io.keyhold.internal.store.quorum;

import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Inbox;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.RaiseRequest;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.spi.CallMode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A node that belongs to another client, which closes it. */
public final class BorrowedNode implements NodeStore {

    private final NodeStore node;

    /** Lent. */
    public BorrowedNode(NodeStore node) {
        this.node = node;
    }

    @Override
    public String address() {
        return node.address();
    }

    @Override
    public CompletionStage<VoteReply> vote(VoteRequest request) {
        return node.vote(request);
    }

    @Override
    public CompletionStage<Boolean> raise(RaiseRequest request) {
        return node.raise(request);
    }

    @Override
    public CompletionStage<Long> quarantineMillis(VoteRequest.Admission admission) {
        return node.quarantineMillis(admission);
    }

    @Override
    public CompletionStage<HoldReply> giveUp(ReleaseRequest request) {
        return node.giveUp(request);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        return node.acquire(request, mode, sending);
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        return node.release(request, mode);
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        return node.renew(requests, mode);
    }

    @Override
    public CompletionStage<LockSnapshot> look(String key, CallMode mode) {
        return node.look(key, mode);
    }

    @Override
    public CompletionStage<Optional<LockSnapshot>> lookAtPermits(String key, CallMode mode) {
        return node.lookAtPermits(key, mode);
    }

    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        return node.list(pattern, cursor, mode);
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return node.forceRelease(key, mode);
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        return node.resize(key, said, permits, mode);
    }

    @Override
    public CompletionStage<Optional<Inbox>> openInbox(Inbox.Listener listener) {
        return node.openInbox(listener);
    }

    @Override
    public void close() {}
}
