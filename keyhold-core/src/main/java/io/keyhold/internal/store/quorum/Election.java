package io.keyhold.internal.store.quorum;

import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.Texts;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.GrantRecord;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.RaiseRequest;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One request for a lock, put to the vote. It is decided as soon as a majority is certain, or certain not to be had: a slow
 * node holds up nobody.
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
 * <p>Nothing here is about time. That two holders' windows do not overlap follows from majorities and leases, as on one server:
 * the lease is counted from before the first question.
 */
final class Election {

    private enum Round {
        ONE,
        TWO,
        OVER
    }

    private final Quorum quorum;
    private final VoteRequest request;
    private final Duration timeout;
    private final CompletableFuture<AcquireReply> result = new CompletableFuture<>();
    private final Map<NodeStore, NodeAnswer> answers = new LinkedHashMap<>();
    private final List<NodeStore> confirmed = new ArrayList<>();
    private final List<NodeStore> unconfirmed = new ArrayList<>();
    private Round round = Round.ONE;
    private long number;
    private int voters;

    Election(Quorum quorum, VoteRequest request, Duration timeout) {
        this.quorum = quorum;
        this.request = request;
        this.timeout = timeout;
    }

    /** {@code each} is the request as it goes to one node. */
    CompletionStage<AcquireReply> hold(Function<NodeStore, VoteRequest> each) {
        quorum.poll().ask(quorum.nodes(), timeout, node -> node.vote(each.apply(node)), new Poll.Listener<VoteReply>() {
            @Override
            public void heard(NodeStore node, CompletableFuture<VoteReply> answer) {
                NodeAnswer outcome = answerOf(answer);
                if (outcome.isVote()) {
                    quorum.meets(node);
                }
                act(Election.this.voted(node, outcome));
            }

            @Override
            public void heardLate(NodeStore node, VoteReply answer) {
                if (answer instanceof VoteReply.Granted && isLost()) {
                    quorum.retreat().from(node, request);
                }
            }
        });
        return result;
    }

    private NodeAnswer answerOf(CompletableFuture<VoteReply> answer) {
        return answer.handle((reply, failure) -> {
                    if (failure == null) {
                        return NodeAnswer.of(reply);
                    }
                    return failure instanceof TimeoutException
                            ? new NodeAnswer.Silent(timeout)
                            : NodeAnswer.of(failure);
                })
                .join();
    }

    private boolean isLost() {
        return result.isDone()
                && (result.isCompletedExceptionally() || !(result.join() instanceof AcquireReply.Granted));
    }

    /** What is to be done outside, after the count. */
    private static void act(Runnable next) {
        next.run();
    }

    private synchronized Runnable voted(NodeStore node, NodeAnswer answer) {
        if (round != Round.ONE) {
            // Decided without it. What it granted goes back with the rest, or is one vote more than needed.
            return () -> {
                if (answer instanceof NodeAnswer.Granted && isLost()) {
                    quorum.retreat().from(node, request);
                }
            };
        }
        answers.put(node, answer);
        List<Long> numbers = answers.values().stream()
                .filter(NodeAnswer.Granted.class::isInstance)
                .map(granted -> ((NodeAnswer.Granted) granted).number())
                .toList();
        if (quorum.rules().isMajority(numbers.size(), quorum.size())) {
            return granted(numbers);
        }
        int undecided = quorum.size() - answers.size();
        return quorum.rules().isMajority(numbers.size() + undecided, quorum.size()) ? () -> {} : lost();
    }

    private Runnable granted(List<Long> numbers) {
        Optional<Long> common = numbers.stream()
                .filter(one -> quorum.rules()
                        .isMajority((int) numbers.stream().filter(one::equals).count(), quorum.size()))
                .findFirst();
        if (common.isPresent()) {
            return won(common.get(), quorum.count()::oneRound);
        }
        round = Round.TWO;
        number = numbers.stream().mapToLong(Long::longValue).max().orElseThrow() + GrantRecord.STRIDE;
        List<NodeStore> granted = answers.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof NodeAnswer.Granted)
                .map(Map.Entry::getKey)
                .toList();
        voters = granted.size();
        RaiseRequest raise = new RaiseRequest(request.claim(), request.token(), request.leaseMillis(), number);
        return () -> quorum.poll()
                .ask(
                        granted,
                        timeout,
                        node -> quorum.rules().raise(node, raise),
                        (node, answer) -> act(raised(node, !answer.isCompletedExceptionally() && answer.join())));
    }

    private synchronized Runnable raised(NodeStore node, boolean done) {
        if (round != Round.TWO) {
            return () -> {};
        }
        (done ? confirmed : unconfirmed).add(node);
        if (!done) {
            answers.put(node, new NodeAnswer.Unconfirmed());
        }
        if (quorum.rules().isMajority(confirmed.size(), quorum.size())) {
            return won(number, quorum.count()::twoRounds);
        }
        return quorum.rules().isMajority(voters - unconfirmed.size(), quorum.size()) ? () -> {} : lost();
    }

    private Runnable won(long token, Runnable counted) {
        round = Round.OVER;
        return () -> {
            counted.run();
            quorum.seen(token);
            result.complete(new AcquireReply.Granted(token));
        };
    }

    private Runnable lost() {
        round = Round.OVER;
        AcquireReply.Busy busy = busy();
        long votes = answers.values().stream().filter(NodeAnswer::isVote).count();
        boolean enoughVoted = quorum.rules().isMajority((int) votes, quorum.size());
        StoreUnavailableException failure = enoughVoted ? null : noQuorum();
        return () -> {
            quorum.retreat().everywhere(request);
            if (failure == null) {
                result.complete(busy);
            } else {
                result.completeExceptionally(failure);
            }
        };
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
                "no quorum for '" + Texts.cut(request.claim().key(), 80) + "': " + perNode(), false, null);
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
