package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdClock;
import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Inbox;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * Locks on several independent stores: held by whoever holds a majority of them (the algorithm known as Redlock, with fencing
 * tokens: {@link Election}). All nodes are asked in parallel, and none is waited for when a majority is certain. Nobody is
 * handed a lock: whoever waits asks again after a random pause, or as soon as a majority of nodes tells that the lock was
 * given up.
 */
public final class QuorumStore implements LockStore {

    private final Quorum quorum;
    private final QuorumViews views;
    private final QuorumListing listing;
    private volatile Optional<QuorumInbox> inbox = Optional.empty();

    /** Of these nodes. */
    public QuorumStore(
            List<NodeStore> nodes,
            QuorumSettings settings,
            KeyholdClock clock,
            Scheduler scheduler,
            RandomGenerator random) {
        this(nodes, settings, new QuorumRules(), clock, scheduler, random);
    }

    /** With rules of a test's own. */
    QuorumStore(
            List<NodeStore> nodes,
            QuorumSettings settings,
            QuorumRules rules,
            KeyholdClock clock,
            Scheduler scheduler,
            RandomGenerator random) {
        this.quorum = new Quorum(nodes, settings, rules, clock, scheduler, random);
        this.views = new QuorumViews(quorum);
        this.listing = new QuorumListing(quorum, views);
    }

    /** A token that was refused may be on its way to some node yet, or its release: it is not used again. */
    @Override
    public boolean usesTokensOnce() {
        return true;
    }

    /** Each node has a queue of its own, and whoever is first in one may be last in another. */
    @Override
    public boolean keepsOrder() {
        return false;
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        Optional<String> refusal = refusal(request.claim(), request.leaseMillis());
        if (refusal.isPresent()) {
            return CompletableFuture.failedStage(new UnsupportedOperationException(refusal.get()));
        }
        VoteRequest vote = new VoteRequest(
                request.claim(),
                request.token(),
                request.leaseMillis(),
                request.ifFree(),
                request.ifBusy().place(),
                quorum.proposal(),
                new VoteRequest.Admission(quorum.settings().longestLease().toMillis(), VoteRequest.IfFresh.WAIT));
        Optional<String> twice = quorum.foundTwice();
        if (twice.isPresent()) {
            return CompletableFuture.failedStage(Election.sameServerTwice(vote, twice.get()));
        }
        sending.run();
        return new Election(quorum, vote, node -> forNode(vote, node)).hold();
    }

    private VoteRequest forNode(VoteRequest vote, NodeStore node) {
        boolean admit = quorum.mayBeNew(node) || !quorum.rules().heedsQuarantine();
        return vote.with(placeAt(node, vote.place()), admit ? VoteRequest.IfFresh.ADMIT : VoteRequest.IfFresh.WAIT);
    }

    private Optional<QueuePlace> placeAt(NodeStore node, Optional<QueuePlace> place) {
        return place.flatMap(waiter -> inbox.flatMap(open -> open.placeAt(node, waiter)));
    }

    @Override
    public Optional<String> refusal(LockKind kind) {
        return switch (kind) {
            case LOCK -> Optional.empty();
            case SEMAPHORE ->
                Optional.of(
                        "a quorum has no semaphores: permits that are counted by majorities can be granted too often"
                                + " (three nodes with two permits each can admit three); use one server");
            case READ_WRITE ->
                Optional.of(
                        "a quorum has no read/write locks, because it counts no permits: use a lock, or one server");
        };
    }

    private Optional<String> refusal(Claim claim, long leaseMillis) {
        if (claim instanceof Claim.Permits permits) {
            return refusal(permits.limit().permits() == Limit.READ_WRITE ? LockKind.READ_WRITE : LockKind.SEMAPHORE);
        }
        long longest = quorum.settings().longestLease().toMillis();
        if (leaseMillis == AcquireRequest.NO_EXPIRY || leaseMillis > longest) {
            return Optional.of("a lease on a quorum must be at most longestLease, which is "
                    + Formats.duration(Duration.ofMillis(longest)) + ", and "
                    + (leaseMillis == AcquireRequest.NO_EXPIRY
                            ? "this one never ends"
                            : "is " + Formats.duration(Duration.ofMillis(leaseMillis))));
        }
        return Optional.empty();
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        request.place().ifPresent(quorum.waiters()::leave);
        Runnable told = quorum.interests().released(request.token());
        AtomicInteger untold = new AtomicInteger(quorum.size());
        Count count = new Count(quorum, Count.Purpose.GIVING_UP);
        long lease = quorum.settings().longestLease().toMillis();
        quorum.poll().ask(quorum.nodes(), quorum.settings().patienceFor(lease), new GiveUp(request), (node, answer) -> {
            count.add(node, answer);
            if (answer.isCompletedExceptionally()) {
                quorum.retreat().from(node, request.claim(), request.token(), placeAt(node, request.place()), lease);
            }
            if (untold.decrementAndGet() == 0) {
                told.run();
            }
        });
        return count.result().thenCompose(reply -> decided(reply, count, request.claim()));
    }

    /** At one node. Who is asked again and knows of no hold may have ended it when the answer was lost: that says nothing. */
    private final class GiveUp implements Poll.Question<HoldReply> {

        private final ReleaseRequest request;

        GiveUp(ReleaseRequest request) {
            this.request = request;
        }

        @Override
        public CompletionStage<HoldReply> put(NodeStore node) {
            return quorum.interests()
                    .answered(request.token(), node)
                    .thenCompose(answered -> node.giveUp(forNode(request, node)));
        }

        @Override
        public CompletionStage<HoldReply> putAgain(NodeStore node) {
            return put(node).thenApply(reply -> {
                if (reply instanceof HoldReply.Done) {
                    return reply;
                }
                throw new StoreUnavailableException("the connection broke, and it may have been released", true, null);
            });
        }
    }

    private ReleaseRequest forNode(ReleaseRequest request, NodeStore node) {
        return new ReleaseRequest(request.claim(), request.token(), placeAt(node, request.place()));
    }

    private static CompletionStage<HoldReply> decided(Optional<HoldReply> reply, Count count, Claim claim) {
        return reply.map(CompletableFuture::completedStage)
                .orElseGet(() ->
                        CompletableFuture.failedStage(new StoreUnavailableException(count.tooFew(claim), true, null)));
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        for (RenewRequest request : requests) {
            Optional<String> refusal = request.leaseMillis() == AcquireRequest.NO_EXPIRY
                    ? Optional.empty()
                    : refusal(request.claim(), request.leaseMillis());
            if (refusal.isPresent()) {
                return CompletableFuture.failedStage(new UnsupportedOperationException(refusal.get()));
            }
        }
        List<Renewal> renewals =
                requests.stream().map(request -> new Renewal(quorum, request)).toList();
        long shortest = requests.stream()
                .mapToLong(RenewRequest::leaseMillis)
                .filter(lease -> lease != AcquireRequest.NO_EXPIRY)
                .min()
                .orElse(quorum.settings().longestLease().toMillis());
        quorum.poll()
                .ask(
                        quorum.nodes(),
                        quorum.settings().patienceFor(shortest),
                        node -> node.renew(requests, CallMode.ASYNCHRONOUS),
                        (node, answer) -> {
                            for (int i = 0; i < renewals.size(); i++) {
                                int index = i;
                                renewals.get(i).heard(node, answer.thenApply(replies -> replies.get(index)));
                            }
                        });
        CompletionStage<List<HoldReply>> all = CompletableFuture.completedStage(new ArrayList<>());
        for (Renewal renewal : renewals) {
            all = all.thenCombine(renewal.result(), (replies, reply) -> {
                replies.add(reply);
                return replies;
            });
        }
        return all;
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
        return listing.list(pattern, cursor);
    }

    @Override
    public CompletionStage<Optional<QuorumSnapshot>> quorum() {
        return views.quorum().thenApply(Optional::of);
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return views.forceRelease(key);
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        return CompletableFuture.failedStage(
                new UnsupportedOperationException("a quorum has no semaphores, and so none to resize"));
    }

    @Override
    public CompletionStage<Optional<Inbox>> openInbox(Inbox.Listener listener) {
        QuorumInbox opened = new QuorumInbox(quorum, listener);
        inbox = Optional.of(opened);
        return opened.open().thenApply(Optional::of);
    }

    /**
     * When every node has answered, and not just as many as were enough: a lock that is released should be gone everywhere, and one that is
     * handed off should be everywhere.
     */
    @Override
    public CompletionStage<Void> settled() {
        return quorum.interests()
                .settled()
                .thenCompose(answered -> quorum.retreat().settled());
    }

    @Override
    public void trim() {
        quorum.nodes().forEach(LockStore::trim);
    }

    @Override
    public void close() {
        quorum.nodes().forEach(LockStore::close);
    }
}
