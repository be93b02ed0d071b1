package io.keyhold.internal.store.quorum;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.NodeSnapshot;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.Snapshots;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Merges what the nodes of a quorum see: the holder of a majority of them holds the lock, and each node's own view is part of
 * the snapshot. Nodes that cannot be asked are named; a snapshot fails only if none can.
 */
final class QuorumViews {

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final Quorum quorum;
    private final QuorumSettings settings;
    private final Broadcast broadcast;
    private final FencingRoundStats stats;
    private volatile boolean answered;

    QuorumViews(Quorum quorum, QuorumSettings settings, Broadcast broadcast, FencingRoundStats stats) {
        this.quorum = quorum;
        this.settings = settings;
        this.broadcast = broadcast;
        this.stats = stats;
    }

    CompletionStage<LockSnapshot> look(String key) {
        return answers(node -> node.look(key, CallMode.ASYNCHRONOUS)).thenApply(answers -> merged(key, answers));
    }

    private <T> CompletionStage<Map<VotingNode, CompletableFuture<T>>> answers(Broadcast.Request<T> question) {
        return broadcast.gather(quorum.nodes(), timeout(), question).thenApply(answers -> {
            long heard = answers.values().stream()
                    .filter(answer -> !answer.isCompletedExceptionally())
                    .count();
            answered = answered || quorum.isMajority((int) heard);
            return answers;
        });
    }

    /** Longer until a majority has answered once: connections have to be made, in a JVM that may be cold. */
    private Duration timeout() {
        long longest = settings.longestLease().toMillis();
        return answered ? settings.majorityTimeoutFor(longest) : settings.firstMajorityTimeoutFor(longest);
    }

    private LockSnapshot merged(String key, Map<VotingNode, CompletableFuture<LockSnapshot>> answers) {
        LockSnapshot longestQueue = answers.values().stream()
                .flatMap(answer -> reply(answer).stream())
                .max(Comparator.comparingLong(LockSnapshot::waiterCount))
                .orElseThrow(() -> QuorumFailures.of(
                        quorum,
                        "cannot look at '" + Formats.cut(key, 80) + "': no node of the quorum could be read: "
                                + String.join("; ", troubles(answers)),
                        false,
                        failures(answers)));
        List<NodeSnapshot> nodes = answers.entrySet().stream()
                .map(answer -> new NodeSnapshot(
                        answer.getKey().address(),
                        reply(answer.getValue()).flatMap(LockSnapshot::holder),
                        trouble(answer.getValue())))
                .toList();
        Map<String, List<LockHolder>> byToken = nodes.stream()
                .flatMap(node -> node.holder().stream())
                .collect(Collectors.groupingBy(LockHolder::token, LinkedHashMap::new, Collectors.toList()));
        Optional<LockHolder> holder = byToken.values().stream()
                .filter(holds -> quorum.isMajority(holds.size()))
                .map(this::ofMajority)
                .findFirst();
        return Snapshots.ofLock(key, holder, longestQueue.queue(), longestQueue.waiterCount(), nodes);
    }

    /** Lasts as long as a majority of them, with the largest fencing token: a renewal may not have reached the rest. */
    private LockHolder ofMajority(List<LockHolder> holds) {
        LockHolder last = holds.stream()
                .max(Comparator.comparingLong(hold -> hold.fencingToken().orElse(0)))
                .orElseThrow();
        List<Duration> longestFirst = holds.stream()
                .map(hold -> hold.remaining().orElse(FOREVER))
                .sorted(Comparator.reverseOrder())
                .toList();
        return new LockHolder(
                last.token(),
                last.mode(),
                last.permits(),
                last.foreign(),
                last.clientName(),
                last.host(),
                last.processId(),
                last.fencingToken(),
                last.heldSince(),
                Optional.of(longestFirst.get(quorum.majority() - 1)).filter(remaining -> !remaining.equals(FOREVER)));
    }

    private static <T> Optional<T> reply(CompletableFuture<T> answer) {
        return answer.isCompletedExceptionally() ? Optional.empty() : Optional.of(answer.join());
    }

    /** Returns why the node could not be asked, if it could not. */
    private static Optional<String> trouble(CompletableFuture<?> answer) {
        return answer.handle((reply, failure) -> Optional.ofNullable(failure)
                        .map(reason -> NodeOutcome.of(reason).text()))
                .join();
    }

    private static List<Throwable> failures(Map<VotingNode, ? extends CompletableFuture<?>> answers) {
        return answers.values().stream()
                .flatMap(
                        answer -> answer
                                .handle((reply, failure) ->
                                        Optional.ofNullable(failure).map(Stages::unwrapped))
                                .join()
                                .stream())
                .toList();
    }

    private static List<String> troubles(Map<VotingNode, ? extends CompletableFuture<?>> answers) {
        return answers.entrySet().stream()
                .flatMap(answer -> trouble(answer.getValue()).stream()
                        .map(trouble -> answer.getKey().address() + " " + trouble))
                .toList();
    }

    /** Ends the hold at each node. Waiters are told to ask; the lock is handed over to none of them. */
    CompletionStage<Boolean> forceRelease(String key) {
        return answers(node -> forceRelease(node, key)).thenApply(answers -> heldAnywhere(key, answers));
    }

    /** A holder may keep a majority that could not be asked: then it is not known to be gone. */
    private boolean heldAnywhere(String key, Map<VotingNode, CompletableFuture<Boolean>> answers) {
        List<String> troubles = troubles(answers);
        if (!quorum.isMajority(answers.size() - troubles.size())) {
            throw QuorumFailures.of(
                    quorum,
                    "cannot force the release of '" + Formats.cut(key, 80) + "': too few nodes replied: "
                            + String.join("; ", troubles),
                    true,
                    failures(answers));
        }
        return answers.values().stream().anyMatch(answer -> reply(answer).orElse(false));
    }

    private static CompletionStage<Boolean> forceRelease(VotingNode node, String key) {
        return node.look(key, CallMode.ASYNCHRONOUS)
                .thenCompose(seen -> seen.holder()
                        .map(holder -> node.giveUp(
                                        new ReleaseRequest(new Claim.Lock(key), holder.token(), Optional.empty()))
                                .thenApply(HoldReply.Done.class::isInstance))
                        .orElseGet(() -> CompletableFuture.completedStage(false)));
    }

    CompletionStage<QuorumSnapshot> quorum() {
        VoteRequest.Admission admission = settings.admission(VoteRequest.IfFresh.WAIT);
        return answers(node -> node.quarantineMillis(admission))
                .thenApply(answers -> new QuorumSnapshot(
                        answers.entrySet().stream()
                                .map(answer -> node(answer.getKey(), answer.getValue()))
                                .toList(),
                        stats.inOneRound(),
                        stats.inTwoRounds()));
    }

    private static QuorumNode node(VotingNode node, CompletableFuture<Long> quarantineMillis) {
        return new QuorumNode(
                node.address(),
                reply(quarantineMillis).filter(millis -> millis > 0).map(Duration::ofMillis),
                trouble(quarantineMillis));
    }
}
