package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdException;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.PendingReply;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Acquires a lock by a vote of all nodes. A request is decided as soon as a majority is certain, or out of reach: a slow node delays
 * no request. If a majority has voted, the others are waited for no longer than the node timeout; if not even a majority has replied,
 * somewhat longer, because the alternative is to fail.
 *
 * <p><b>The fencing token.</b> Round one goes to all nodes, with a proposal (the client's clock, above all it has seen). A node
 * that is free takes the lock, sets its counter to the larger of the proposal and its next number, and returns it. If a
 * majority returned one and the same number, that is the token: one round, the usual case when clocks roughly agree and
 * holds are not too frequent. Otherwise round two goes to the nodes that granted: if the lock still has the client's token there, the
 * counter is raised to one stride above the largest number. If a majority of all nodes confirms, that is the token.
 *
 * <p><b>Why it grows</b>, for any clocks. Let token t be issued before the request for token u began. When t was issued,
 * each node of a majority T had a counter of at least t: in round one because it returned t, in round two because it was
 * raised to t. Counters never fall. The request for u was granted by a majority U, and some node is in both. That node granted
 * for u after it had reached t (a grant before that would have been for a lock that t's owner had, or lost, before it was
 * issued: then its counter was raised or returned under t's own token, and u's grant came later still), so it returned more than
 * t. If u was issued in one round, all of U returned u, so u is more than t. If in two, u is above the largest number. The
 * rule that only nodes that granted are raised, and only while the lock still has the client's token, keeps two requests that overlap
 * from being issued one number: {@code spec/QuorumFence.tla} has the counterexample for each part that is left out.
 *
 * <p><b>One server, one vote.</b> A majority of addresses is none of servers if one server has two addresses: it would grant the lock
 * alone, and lose it when it fails. Each reply names its server, and an acquire in which two nodes are one server fails.
 *
 * <p>Nothing here is about time. That two holders' windows do not overlap follows from majorities and leases, as on one server:
 * the lease counts from before the first request.
 */
final class QuorumAcquire {

    private final Quorum quorum;
    private final VoteRequests votes;
    private final Broadcast broadcast;
    private final InFlightVotes inFlight;
    private final NodeReleasers releasers;
    private final Scheduler scheduler;
    private final LongAdder inOneRound = new LongAdder();
    private final LongAdder inTwoRounds = new LongAdder();
    /** Two nodes that were found to be one server after the decision of an acquire. */
    private final AtomicReference<@Nullable String> sameServer = new AtomicReference<>();

    QuorumAcquire(
            Quorum quorum,
            VoteRequests votes,
            Broadcast broadcast,
            InFlightVotes inFlight,
            NodeReleasers releasers,
            Scheduler scheduler) {
        this.quorum = quorum;
        this.votes = votes;
        this.broadcast = broadcast;
        this.inFlight = inFlight;
        this.releasers = releasers;
        this.scheduler = scheduler;
    }

    /** {@code places} is where the waiter queues at a node; {@code sending} runs before the first request leaves. */
    CompletionStage<AcquireReply> acquire(
            AcquireRequest request,
            Function<VotingNode, Optional<QueuePlace>> places,
            CallMode mode,
            Runnable sending) {
        // Once: an address may belong to another server by the time of the next request.
        String reason = sameServer.getAndSet(null);
        if (reason != null) {
            return CompletableFuture.failedStage(sameServer(request, reason));
        }
        sending.run();
        return new Attempt(request, votes.forAll(request, places)).start(mode);
    }

    /** Returns a snapshot of these nodes, and how many fencing tokens took one round, and how many took two. */
    QuorumSnapshot snapshot(List<QuorumNode> nodes) {
        return new QuorumSnapshot(nodes, inOneRound.sum(), inTwoRounds.sum());
    }

    /** The suppressed exception says that waiting does not help, as it would if nodes were just unreachable. */
    private KeyholdException sameServer(AcquireRequest request, String reason) {
        return noQuorum(request, reason, List.of(new IllegalStateException(reason)));
    }

    private KeyholdException noQuorum(AcquireRequest request, String reason, List<Throwable> failures) {
        String message = "cannot acquire " + request.claim().text() + ": no quorum: " + reason;
        return quorum.failure(message, false, failures);
    }

    private enum Round {
        ONE,
        TWO,
        WON,
        /** Another client has the lock; the request may queue for it. */
        LOST,
        /** No majority took part. */
        FAILED;

        boolean isDecided() {
            return this != ONE && this != TWO;
        }
    }

    /** One request. Its fields are guarded by its monitor; what follows from a change is done outside. */
    private final class Attempt implements Broadcast.Request<VoteReply>, Broadcast.Listener<VoteReply> {

        private final AcquireRequest request;
        private final Optional<QueuePlace> waiter;
        private final Map<VotingNode, VoteRequest> requests;
        private final Duration nodeTimeout;
        private final Duration majorityTimeout;
        private final InFlightVotes.Vote vote;
        private final CompletableFuture<AcquireReply> result = new CompletableFuture<>();
        private final Map<VotingNode, NodeOutcome> outcomes = new LinkedHashMap<>();
        /** The first node that each server replied as. */
        private final Map<String, VotingNode> servers = new HashMap<>();
        /** Nodes that may execute the request a second time. */
        private final Set<VotingNode> retried = ConcurrentHashMap.newKeySet();

        private Round round = Round.ONE;
        private boolean waitsLonger;
        private volatile Scheduler.Timer deadline = () -> {};

        /** Round two: the token that it may confirm, and the replies to that. */
        private long raisedTo;

        private int unconfirmed;
        private int confirmed;

        Attempt(AcquireRequest request, Map<VotingNode, VoteRequest> requests) {
            this.request = request;
            this.waiter = request.ifBusy().place();
            this.requests = requests;
            this.nodeTimeout = quorum.settings().timeoutFor(request.leaseMillis());
            this.majorityTimeout = votes.majorityTimeout(request);
            this.vote = inFlight.begin(request.token(), quorum.nodes());
        }

        CompletionStage<AcquireReply> start(CallMode mode) {
            broadcast.send(quorum.nodes(), nodeTimeout, mode, this, this);
            return result;
        }

        @Override
        public CompletionStage<VoteReply> request(VotingNode node, @Nullable Consumer<PendingReply> unread) {
            return node.vote(requestTo(node), unread);
        }

        @Override
        public CompletionStage<VoteReply> retry(VotingNode node) {
            retried.add(node);
            return request(node, null);
        }

        private VoteRequest requestTo(VotingNode node) {
            return Objects.requireNonNull(requests.get(node));
        }

        @Override
        public void onReply(VotingNode node, CompletableFuture<VoteReply> reply) {
            act(() -> replied(node, reply));
        }

        @Override
        public void onLateReply(VotingNode node, CompletableFuture<VoteReply> reply) {
            onReply(node, reply);
        }

        private void act(Supplier<Runnable> step) {
            Runnable next;
            synchronized (this) {
                next = step.get();
            }
            next.run();
        }

        private Runnable replied(VotingNode node, CompletableFuture<VoteReply> reply) {
            if (reply.isCompletedExceptionally()) {
                return tallied(node, failure(reply, nodeTimeout));
            }
            NodeOutcome outcome = new NodeOutcome.Replied(reply.join());
            VotingNode twin = servers.putIfAbsent(reply.join().server(), node);
            if (twin == null || twin == node) {
                return tallied(node, outcome);
            }
            String reason = twin.address() + " and " + node.address()
                    + " are the same server, which must not vote twice: name every server of a quorum once";
            if (round.isDecided()) {
                sameServer.set(reason);
                return tallied(node, outcome);
            }
            vote.replied(node);
            outcomes.put(node, outcome);
            return failed(sameServer(request, reason));
        }

        private static NodeOutcome failure(CompletableFuture<?> reply, Duration waited) {
            return reply.handle((value, failure) -> failure instanceof TimeoutException
                            ? new NodeOutcome.Silent(waited)
                            : NodeOutcome.of(Objects.requireNonNull(failure)))
                    .join();
        }

        private Runnable tallied(VotingNode node, NodeOutcome outcome) {
            if (outcome.isVote()) {
                votes.voted(node);
            }
            if (!(outcome instanceof NodeOutcome.Silent)) {
                vote.replied(node);
            }
            if (round.isDecided()) {
                return () -> {
                    waiter.ifPresent(queued -> inFlight.repliedLate(queued, node));
                    cleanUp(node, outcome);
                };
            }
            outcomes.put(node, outcome);
            if (round == Round.TWO) {
                return () -> {}; // Takes no part in the second round; a grant is kept or released when that is decided.
            }
            List<Long> numbers = outcomes.values().stream()
                    .flatMap(each -> each.granted().stream())
                    .map(VoteReply.Granted::number)
                    .toList();
            if (quorum.isMajority(numbers.size())) {
                return granted(numbers);
            }
            int open = quorum.size() - outcomes.size();
            if (quorum.isMajority(numbers.size() + open)) {
                return () -> {};
            }
            int voted = count(NodeOutcome::isVote);
            if (quorum.isMajority(voted)) {
                return lost();
            }
            // A pause of this process looks like silence of all nodes. Their replies of that time still count.
            int silent = count(NodeOutcome.Silent.class::isInstance);
            return quorum.isMajority(voted + open + silent) ? waitLonger(silent) : noQuorum();
        }

        /**
         * Waits on, once, when a node has exceeded its timeout: before that, it is still to come, and this reply is the failure of
         * another node. If the request is decided meanwhile, the timer finds nothing to do.
         */
        private Runnable waitLonger(int silent) {
            if (waitsLonger || silent == 0) {
                return () -> {};
            }
            waitsLonger = true;
            long rest = majorityTimeout.minus(nodeTimeout).toNanos();
            return () -> deadline = scheduler.schedule(rest, () -> act(this::timedOut));
        }

        private Runnable timedOut() {
            if (round != Round.ONE) {
                return () -> {};
            }
            NodeOutcome silence = new NodeOutcome.Silent(majorityTimeout);
            quorum.nodes()
                    .forEach(node -> outcomes.merge(
                            node, silence, (known, silent) -> known instanceof NodeOutcome.Silent ? silent : known));
            return withoutMajority();
        }

        private int count(Predicate<NodeOutcome> which) {
            return (int) outcomes.values().stream().filter(which).count();
        }

        private Runnable granted(List<Long> numbers) {
            for (Long number : numbers) {
                if (quorum.isMajority(Collections.frequency(numbers, number))) {
                    return won(number, inOneRound);
                }
            }
            round = Round.TWO;
            long number = Collections.max(numbers) + LockValue.STRIDE;
            raisedTo = number;
            List<VotingNode> granted = outcomes.entrySet().stream()
                    .filter(entry -> entry.getValue().hasGranted())
                    .map(Map.Entry::getKey)
                    .toList();
            unconfirmed = granted.size();
            return () -> broadcast.send(
                    granted,
                    majorityTimeout,
                    CallMode.ASYNCHRONOUS,
                    (node, unread) -> node.raise(request.claim(), request.token(), number),
                    (node, reply) -> act(() -> raised(node, reply)));
        }

        private Runnable raised(VotingNode node, CompletableFuture<Boolean> reply) {
            if (round != Round.TWO) {
                return () -> {};
            }
            unconfirmed--;
            if (reply.isCompletedExceptionally()) {
                outcomes.put(node, new NodeOutcome.Unconfirmed(Optional.of(failure(reply, majorityTimeout))));
            } else if (reply.join()) {
                confirmed++;
            } else {
                outcomes.put(node, new NodeOutcome.Unconfirmed(Optional.empty()));
            }
            if (quorum.isMajority(confirmed)) {
                return won(raisedTo, inTwoRounds);
            }
            return quorum.isMajority(confirmed + unconfirmed) ? () -> {} : withoutMajority();
        }

        private Runnable withoutMajority() {
            return quorum.isMajority(count(NodeOutcome::isVote)) ? lost() : noQuorum();
        }

        private Runnable won(long fencingToken, LongAdder counter) {
            return decided(Round.WON, () -> {
                counter.increment();
                votes.issued(fencingToken);
                result.complete(new AcquireReply.Granted(fencingToken));
            });
        }

        private Runnable lost() {
            Optional<VoteReply.Busy> first = outcomes.values().stream()
                    .flatMap(outcome -> outcome.busy().stream())
                    .filter(busy -> busy.holder().isPresent())
                    .findFirst();
            AcquireReply.Busy reply = new AcquireReply.Busy(
                    first.flatMap(VoteReply.Busy::holder),
                    first.map(VoteReply.Busy::remainingMillis).orElse(OptionalLong.empty()),
                    OptionalLong.empty(),
                    AcquireReply.HolderKind.FOREIGN,
                    Optional.of(perNode()));
            return decided(Round.LOST, () -> result.complete(reply));
        }

        private Runnable noQuorum() {
            List<Throwable> failures = outcomes.values().stream()
                    .flatMap(outcome -> outcome.failed().stream())
                    .toList();
            return failed(QuorumAcquire.this.noQuorum(request, perNode(), failures));
        }

        private Runnable failed(KeyholdException failure) {
            return decided(Round.FAILED, () -> result.completeExceptionally(failure));
        }

        private Runnable decided(Round end, Runnable announcement) {
            round = end;
            Set<VotingNode> late =
                    end == Round.LOST ? Set.of() : waiter.map(inFlight::left).orElse(Set.of());
            if (end == Round.LOST) {
                waiter.ifPresent(inFlight::queued);
            }
            Map<VotingNode, NodeOutcome> known = new LinkedHashMap<>(outcomes);
            return () -> {
                deadline.cancel();
                known.forEach(this::cleanUp);
                late.forEach(this::leaveQueue);
                announcement.run();
            };
        }

        /**
         * Cleans up at one node, after the decision and when its outcome is known. What a loser got, or may have got, is released: a
         * node that seemed to fail may have granted nevertheless. What a winner has released meanwhile is released at each node after
         * its reply (see {@link InFlightVotes}), so that only unknown outcomes are left to do here. A request that has won or failed
         * leaves all queues, and one that lost may have left since.
         *
         * <p>An adoption has taken nothing: its token is held elsewhere, and a release would free the lock under its holder.
         */
        private void cleanUp(VotingNode node, NodeOutcome outcome) {
            if (request.ifFree() == AcquireRequest.IfFree.LEAVE) {
                return;
            }
            boolean keeps;
            boolean leavesQueue;
            synchronized (this) {
                keeps = round == Round.WON
                        && (vote.isWanted() || outcome.granted().isPresent());
                leavesQueue =
                        round != Round.LOST || waiter.filter(inFlight::hasLeft).isPresent();
            }
            if (!keeps && outcome.mayHaveGranted()) {
                release(node, outcome, leavesQueue ? requestTo(node).place() : Optional.empty());
            } else if (leavesQueue && outcome.busy().isPresent()) {
                leaveQueue(node);
            }
        }

        private void release(VotingNode node, NodeOutcome outcome, Optional<QueuePlace> place) {
            ReleaseRequest release = new ReleaseRequest(request.claim(), request.token(), place);
            if (outcome.hasGranted() && !retried.contains(node)) {
                releasers.releaseGrant(node, release, request.leaseMillis());
            } else {
                releasers.release(node, release, request.leaseMillis());
            }
        }

        /**
         * Withdraws the waiter from this node's queue and releases nothing. It uses the token of the entry, which is that of an earlier
         * attempt that was rejected, because the current token may have won. If it fails, one notification is wasted.
         */
        private void leaveQueue(VotingNode node) {
            Optional<QueuePlace> place = requestTo(node).place();
            place.ifPresent(entry -> node.giveUp(new ReleaseRequest(request.claim(), entry.token(), place), null));
        }

        private String perNode() {
            return quorum.nodes().stream()
                    .map(node -> node.address() + " "
                            + Optional.ofNullable(outcomes.get(node))
                                    .map(NodeOutcome::text)
                                    .orElse("was not waited for"))
                    .collect(Collectors.joining("; "));
        }
    }
}
