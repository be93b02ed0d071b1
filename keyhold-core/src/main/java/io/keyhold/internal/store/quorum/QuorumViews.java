package io.keyhold.internal.store.quorum;

import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.HoldView;
import io.keyhold.internal.store.LockView;
import io.keyhold.internal.store.NodeView;
import io.keyhold.internal.store.QuorumNode;
import io.keyhold.internal.store.QuorumView;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What the nodes of a quorum see, put together: whoever holds a majority of them holds the lock, and each node's own view is
 * told. Nodes that cannot be asked are named; only if none can, looking fails.
 */
final class QuorumViews {

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

    CompletionStage<LockView> look(String key) {
        return answers(node -> node.look(key, CallMode.ASYNCHRONOUS)).thenApply(answers -> merged(key, answers));
    }

    private <T> CompletionStage<Map<QuorumNode, CompletableFuture<T>>> answers(Broadcast.Request<T> question) {
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

    private LockView merged(String key, Map<QuorumNode, CompletableFuture<LockView>> answers) {
        List<LockView> seen = answers.values().stream()
                .filter(answer -> !answer.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .toList();
        List<NodeView> nodes = answers.entrySet().stream()
                .map(answer -> view(answer.getKey(), answer.getValue()))
                .toList();
        if (seen.isEmpty()) {
            throw new StoreUnavailableException(
                    "no node of the quorum could be asked about '" + Formats.cut(key, 80) + "': " + troubles(nodes),
                    false,
                    null);
        }
        Map<String, List<HoldView>> byToken = new LinkedHashMap<>();
        nodes.stream()
                .flatMap(node -> node.hold().stream())
                .forEach(hold -> byToken.computeIfAbsent(hold.token(), none -> new ArrayList<>())
                        .add(hold));
        Optional<HoldView> holder = byToken.values().stream()
                .filter(holds -> quorum.isMajority(holds.size()))
                .map(this::ofMajority)
                .findFirst();
        LockView longest =
                seen.stream().max(Comparator.comparingLong(LockView::waiting)).orElseThrow();
        return LockView.ofLock(key, holder, longest.queue(), longest.waiting()).seenBy(nodes);
    }

    private static NodeView view(QuorumNode node, CompletableFuture<LockView> answer) {
        return answer.handle((lock, failure) -> new NodeView(
                        node.address(),
                        failure == null ? lock.holds().stream().findFirst() : Optional.empty(),
                        failure == null
                                ? Optional.empty()
                                : Optional.of(NodeOutcome.of(failure).text())))
                .join();
    }

    private static String troubles(List<NodeView> nodes) {
        return String.join(
                "; ",
                nodes.stream()
                        .map(node -> node.address() + " " + node.trouble().orElse(""))
                        .toList());
    }

    /** As long as a majority of them lasts, with the largest number: the rest may not have heard of a renewal yet. */
    private HoldView ofMajority(List<HoldView> holds) {
        HoldView last = holds.stream()
                .max(Comparator.comparingLong(QuorumViews::number))
                .orElseThrow();
        List<Long> longestFirst = holds.stream()
                .map(hold -> hold.remainingMillis().orElse(Long.MAX_VALUE))
                .sorted(Comparator.reverseOrder())
                .toList();
        long remaining = longestFirst.get(quorum.majority() - 1);
        return new HoldView(
                last.token(),
                1,
                remaining == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(remaining),
                last.grant());
    }

    private static long number(HoldView hold) {
        return hold.grant().map(grant -> grant.fencingToken()).orElse(0L);
    }

    /** Takes the lock from whoever holds it at each node; those who wait are told to ask, and nobody is handed anything. */
    CompletionStage<Boolean> forceRelease(String key) {
        return answers(node -> forceRelease(node, key)).thenApply(answers -> heldAnywhere(key, answers));
    }

    /** A holder may keep a majority that could not be asked: then nobody can say that it is gone. */
    private boolean heldAnywhere(String key, Map<QuorumNode, CompletableFuture<Boolean>> answers) {
        List<String> troubles = answers.entrySet().stream()
                .filter(answer -> answer.getValue().isCompletedExceptionally())
                .map(answer -> answer.getKey().address() + " " + trouble(answer.getValue()))
                .toList();
        if (!quorum.isMajority(answers.size() - troubles.size())) {
            throw new StoreUnavailableException(
                    "too few nodes could be asked to force the release of '" + Formats.cut(key, 80) + "': "
                            + String.join("; ", troubles),
                    true,
                    null);
        }
        return answers.values().stream().anyMatch(answer -> !answer.isCompletedExceptionally() && answer.join());
    }

    private static String trouble(CompletableFuture<?> answer) {
        return answer.handle((reply, failure) ->
                        NodeOutcome.of(Objects.requireNonNull(failure)).text())
                .join();
    }

    private static CompletionStage<Boolean> forceRelease(QuorumNode node, String key) {
        return node.look(key, CallMode.ASYNCHRONOUS)
                .thenCompose(view -> view.holds().stream()
                        .findFirst()
                        .map(hold -> node.giveUp(
                                        new ReleaseRequest(new Claim.Lock(key), hold.token(), Optional.empty()))
                                .thenApply(HoldReply.Done.class::isInstance))
                        .orElseGet(() -> CompletableFuture.completedStage(false)));
    }

    CompletionStage<QuorumView> quorum() {
        VoteRequest.Admission admission = settings.admission(VoteRequest.IfFresh.WAIT);
        return answers(node -> node.quarantineMillis(admission))
                .thenApply(answers -> new QuorumView(
                        answers.entrySet().stream()
                                .map(answer -> state(answer.getKey(), answer.getValue()))
                                .toList(),
                        stats.inOneRound(),
                        stats.inTwoRounds()));
    }

    private static QuorumView.Node state(QuorumNode node, CompletableFuture<Long> answer) {
        return answer.handle((millis, failure) -> failure == null
                        ? new QuorumView.Node(node.address(), millis, Optional.empty())
                        : new QuorumView.Node(
                                node.address(),
                                0,
                                Optional.of(NodeOutcome.of(failure).text())))
                .join();
    }
}
