package io.keyhold.internal.store.quorum;

import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.RaiseRequest;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
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
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One request for a lock, put to the vote. It is decided as soon as a majority is certain, or certain not to be had: a slow
 * node holds up nobody. If a majority has voted, the others are waited for no longer than the node timeout; if not even a
 * majority has answered, somewhat longer, because then there is nothing else to do but to fail.
 *
 * <p><b>The fencing token.</b> Round one goes to all nodes, with a proposal (the asker's clock, above all it has seen). A node
 * that is free takes the lock, sets its counter to the larger of the proposal and its next number, and answers that. If a
 * majority answered one and the same number, that is the token: one round, the usual case when clocks roughly agree and
 * holds are not too frequent. Otherwise round two goes to those who granted: if the lock is still the asker's there, the
 * counter is raised to one stride above the largest answer. If a majority of all nodes confirms, that is the token.
 *
 * <p><b>Why it grows</b>, whatever the clocks do. Let token t be issued before the request for token u began. When t was issued,
 * each node of a majority T had a counter of at least t: in round one because it answered t, in round two because it was
 * raised to t. Counters never fall. The request for u was granted by a majority U, and some node is in both. That node granted
 * for u after it had reached t (a grant before that would have been for a lock that t's owner had, or lost, before it was
 * issued: then its counter was raised or answered under t's own token, and u's grant came later still), so it answered more than
 * t. If u was issued in one round, all of U answered u, so u is more than t. If in two, u is above the largest answer. The
 * rule that only nodes that granted are raised, and only while the lock is still the asker's, keeps two requests that overlap
 * from being issued one number: {@code spec/QuorumFence.tla} has the counterexample for each part that is left out.
 *
 * <p><b>One server, one vote.</b> A majority of names is none of servers if one server is known by two names: it would grant the lock alone,
 * and take it along when it fails. Each reply tells which server it is from, and an election in which two nodes are one server fails.
 *
 * <p>Nothing here is about time. That two holders' windows do not overlap follows from majorities and leases, as on one server:
 * the lease is counted from before the first question.
 */
final class Election {

    private enum Round {
        ONE,
        TWO,
        WON,
        /** Somebody else has the lock; the request may stand in line for it. */
        LOST,
        /** There was no majority to decide. */
        FAILED;

        boolean isDecided() {
            return this != ONE && this != TWO;
        }
    }

    private final Quorum quorum;
    private final VoteRequest request;
    private final Map<NodeStore, VoteRequest> ballots = new LinkedHashMap<>();
    private final Duration nodeTimeout;
    private final Duration patience;
    private final CompletableFuture<AcquireReply> result = new CompletableFuture<>();
    private final Map<NodeStore, NodeAnswer> answers = new LinkedHashMap<>();
    /** The first node that each server answered as. */
    private final Map<String, NodeStore> servers = new HashMap<>();

    private final Interests.Interest interest;
    private Round round = Round.ONE;
    private boolean waitsLonger;
    private volatile Scheduler.Timer stopWaiting = () -> {};

    /** Round two: the token that may come of it, and those who were asked to confirm it. */
    private long number;

    private int unheard;
    private int confirmed;

    /** {@code each} is the request as it goes to one node. */
    Election(Quorum quorum, VoteRequest request, Function<NodeStore, VoteRequest> each) {
        this.quorum = quorum;
        this.request = request;
        quorum.nodes().forEach(node -> ballots.put(node, each.apply(node)));
        this.interest = quorum.interests().begin(request.token(), quorum.nodes());
        this.nodeTimeout = quorum.settings().timeoutFor(request.leaseMillis());
        this.patience = quorum.patienceFor(request.leaseMillis());
    }

    CompletionStage<AcquireReply> hold() {
        quorum.poll().ask(quorum.nodes(), nodeTimeout, this::vote, new Poll.Listener<VoteReply>() {
            @Override
            public void heard(NodeStore node, CompletableFuture<VoteReply> answer) {
                act(() -> heardOf(node, answer));
            }

            @Override
            public void heardLate(NodeStore node, CompletableFuture<VoteReply> answer) {
                heard(node, answer);
            }
        });
        return result;
    }

    private CompletionStage<VoteReply> vote(NodeStore node) {
        return node.vote(Objects.requireNonNull(ballots.get(node)));
    }

    private NodeAnswer answerOf(CompletableFuture<VoteReply> answer) {
        return answer.isCompletedExceptionally() ? trouble(answer, nodeTimeout) : NodeAnswer.of(answer.join());
    }

    /** Why there is no answer, of a node that was waited for so long. */
    private static NodeAnswer trouble(CompletableFuture<?> answer, Duration waited) {
        return answer.handle((reply, failure) -> failure instanceof TimeoutException
                        ? new NodeAnswer.Silent(waited)
                        : NodeAnswer.of(Objects.requireNonNull(failure)))
                .join();
    }

    /** Counts under the lock, and does outside what follows from it. */
    private void act(Supplier<Runnable> counting) {
        Runnable next;
        synchronized (this) {
            next = counting.get();
        }
        next.run();
    }

    private Runnable heardOf(NodeStore node, CompletableFuture<VoteReply> reply) {
        NodeAnswer answer = answerOf(reply);
        Optional<NodeStore> twin = reply.isCompletedExceptionally()
                ? Optional.empty()
                : Optional.ofNullable(servers.putIfAbsent(reply.join().server(), node))
                        .filter(other -> other != node);
        if (twin.isPresent() && !round.isDecided()) {
            interest.heard(node);
            answers.put(node, answer);
            return refused(Quorum.sameServer(twin.get(), node));
        }
        twin.ifPresent(first -> quorum.foundTwice(first, node));
        return voted(node, answer);
    }

    private Runnable voted(NodeStore node, NodeAnswer answer) {
        if (answer.isVote()) {
            quorum.meets(node);
        }
        if (!(answer instanceof NodeAnswer.Silent)) {
            interest.heard(node);
        }
        if (round.isDecided()) {
            return () -> {
                request.place().ifPresent(place -> quorum.waiters().answeredLate(place, node));
                tidyUp(node, answer);
            };
        }
        answers.put(node, answer);
        if (round == Round.TWO) {
            return () -> {}; // Not one of those who decide; what it granted is kept or given back when they have.
        }
        List<Long> numbers = new ArrayList<>();
        for (NodeAnswer each : answers.values()) {
            if (each instanceof NodeAnswer.Granted granted) {
                numbers.add(granted.number());
            }
        }
        if (isMajority(numbers.size())) {
            return granted(numbers);
        }
        int open = quorum.size() - answers.size();
        if (isMajority(numbers.size() + open)) {
            return () -> {};
        }
        int voted = count(NodeAnswer::isVote);
        int maybe = open + count(NodeAnswer.Silent.class::isInstance);
        if (isMajority(voted)) {
            return lost();
        }
        // A pause of this process looks like silence of all nodes. What they said meanwhile is heard yet.
        return isMajority(voted + maybe) ? waitLonger() : failed();
    }

    /**
     * Once, when a node took too long: this answer may be the failure of another that made it matter. Before that, the node timeout is
     * still to come. Should the election be decided just then, the timer finds nothing to do.
     */
    private Runnable waitLonger() {
        if (waitsLonger || count(NodeAnswer.Silent.class::isInstance) == 0) {
            return () -> {};
        }
        waitsLonger = true;
        long rest = patience.minus(nodeTimeout).toNanos();
        return () -> stopWaiting = quorum.scheduler().schedule(rest, () -> act(this::closed));
    }

    /** Nobody is waited for any longer. */
    private Runnable closed() {
        if (round != Round.ONE) {
            return () -> {};
        }
        quorum.nodes()
                .forEach(node -> answers.merge(
                        node,
                        new NodeAnswer.Silent(patience),
                        (known, silent) -> known instanceof NodeAnswer.Silent ? silent : known));
        return isMajority(count(NodeAnswer::isVote)) ? lost() : failed();
    }

    private boolean isMajority(int some) {
        return quorum.rules().isMajority(some, quorum.size());
    }

    private int count(Predicate<NodeAnswer> which) {
        return (int) answers.values().stream().filter(which).count();
    }

    private Runnable granted(List<Long> numbers) {
        for (Long one : numbers) {
            if (isMajority(Collections.frequency(numbers, one))) {
                return won(one, quorum.count()::oneRound);
            }
        }
        round = Round.TWO;
        number = quorum.rules().above(numbers);
        List<NodeStore> granted = answers.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof NodeAnswer.Granted)
                .map(Map.Entry::getKey)
                .toList();
        unheard = granted.size();
        RaiseRequest raise = new RaiseRequest(request.claim(), request.token(), number);
        return () -> quorum.poll()
                .ask(
                        granted,
                        patience,
                        node -> quorum.rules().raise(node, raise),
                        (node, answer) -> act(() -> raised(node, answer)));
    }

    private Runnable raised(NodeStore node, CompletableFuture<Boolean> answer) {
        if (round != Round.TWO) {
            return () -> {};
        }
        unheard--;
        if (answer.isCompletedExceptionally()) {
            answers.put(node, new NodeAnswer.Unconfirmed(Optional.of(trouble(answer, patience))));
        } else if (answer.join()) {
            confirmed++;
        } else {
            answers.put(node, new NodeAnswer.Unconfirmed(Optional.empty()));
        }
        if (isMajority(confirmed)) {
            return won(number, quorum.count()::twoRounds);
        }
        if (isMajority(confirmed + unheard)) {
            return () -> {};
        }
        return isMajority(count(NodeAnswer::isVote)) ? lost() : failed();
    }

    private Runnable won(long token, Runnable counted) {
        return decided(Round.WON, () -> {
            counted.run();
            quorum.seen(token);
            result.complete(new AcquireReply.Granted(token));
        });
    }

    private Runnable lost() {
        AcquireReply.Busy busy = busy();
        return decided(Round.LOST, () -> result.complete(busy));
    }

    private Runnable failed() {
        StoreUnavailableException failure = noQuorum();
        return decided(Round.FAILED, () -> result.completeExceptionally(failure));
    }

    private Runnable refused(String reason) {
        StoreUnavailableException failure = sameServerTwice(request, reason);
        return decided(Round.FAILED, () -> result.completeExceptionally(failure));
    }

    /** The exception attached to it says that waiting does not help, as it would if nodes were just away. */
    static StoreUnavailableException sameServerTwice(VoteRequest request, String reason) {
        StoreUnavailableException failure = new StoreUnavailableException(
                "no quorum for '" + Formats.cut(request.claim().key(), 80) + "': " + reason, false, null);
        failure.addSuppressed(new IllegalStateException(reason));
        return failure;
    }

    private Runnable decided(Round end, Runnable announced) {
        round = end;
        Set<NodeStore> late = request.place().map(place -> stands(place, end)).orElse(Set.of());
        Map<NodeStore, NodeAnswer> known = new LinkedHashMap<>(answers);
        return () -> {
            stopWaiting.cancel();
            known.forEach(this::tidyUp);
            late.forEach(node -> quorum.retreat().leaveQueue(node, Objects.requireNonNull(ballots.get(node))));
            announced.run();
        };
    }

    /** In line, or not any more: then it answers where it may stand in line yet. */
    private Set<NodeStore> stands(QueuePlace place, Round end) {
        if (end != Round.LOST) {
            return quorum.waiters().leave(place);
        }
        quorum.waiters().stand(place);
        return Set.of();
    }

    /**
     * After the decision, for each node once its answer is known. What a loser got, or may have got, goes back: a node that seemed to
     * fail may have granted all the same. What a winner has given up meanwhile is given up at each node when that has answered (see
     * {@link Interests}), so only doubt is left to care for. Who has won or failed stands in no queue any more, and who had to wait may have
     * left it since (see {@link Waiters}).
     *
     * <p>Whoever adopts a hold has taken nothing. The token is in use elsewhere, and giving it back would free a lock under its holder.
     */
    private void tidyUp(NodeStore node, NodeAnswer answer) {
        if (request.ifFree() == AcquireRequest.IfFree.LEAVE) {
            return;
        }
        boolean keeps;
        boolean leaves;
        synchronized (this) {
            keeps = round == Round.WON && (interest.isAlive() || answer instanceof NodeAnswer.Granted);
            leaves = round != Round.LOST
                    || request.place().filter(quorum.waiters()::haveLeft).isPresent();
        }
        VoteRequest ballot = Objects.requireNonNull(ballots.get(node));
        if (!keeps && answer.mayHaveGranted()) {
            quorum.retreat().from(node, leaves ? ballot : request.withoutPlace());
        } else if (leaves && answer instanceof NodeAnswer.Busy) {
            quorum.retreat().leaveQueue(node, ballot);
        }
    }

    private AcquireReply.Busy busy() {
        Optional<NodeAnswer.Busy> first = answers.values().stream()
                .filter(NodeAnswer.Busy.class::isInstance)
                .map(NodeAnswer.Busy.class::cast)
                .filter(answer -> answer.holder().isPresent())
                .findFirst();
        return new AcquireReply.Busy(
                first.flatMap(NodeAnswer.Busy::holder),
                first.map(NodeAnswer.Busy::remainingMillis).orElse(OptionalLong.empty()),
                OptionalLong.empty(),
                AcquireReply.HolderKind.FOREIGN,
                Optional.of(perNode()));
    }

    private StoreUnavailableException noQuorum() {
        StoreUnavailableException failure = new StoreUnavailableException(
                "no quorum for '" + Formats.cut(request.claim().key(), 80) + "': " + perNode(), false, null);
        answers.values().stream()
                .filter(NodeAnswer.Failure.class::isInstance)
                .forEach(answer -> failure.addSuppressed(((NodeAnswer.Failure) answer).cause()));
        return failure;
    }

    private String perNode() {
        return quorum.nodes().stream()
                .map(node -> node.address() + " "
                        + Optional.ofNullable(answers.get(node))
                                .map(NodeAnswer::text)
                                .orElse("was not waited for"))
                .collect(Collectors.joining("; "));
    }
}
