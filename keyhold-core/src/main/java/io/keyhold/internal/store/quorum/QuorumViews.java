package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.HoldView;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.LockView;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.NodeView;
import io.keyhold.spi.CallMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What the nodes of a quorum see, put together: whoever holds a majority of them holds the lock, and each node's own view is told. */
final class QuorumViews {

    private static final String MARK = ":";

    private final Quorum quorum;

    QuorumViews(Quorum quorum) {
        this.quorum = quorum;
    }

    CompletionStage<LockView> look(String key) {
        List<CompletableFuture<NodeView>> asked = new ArrayList<>();
        Map<NodeStore, LockView> seen = new LinkedHashMap<>();
        CompletableFuture<LockView> result = new CompletableFuture<>();
        quorum.poll()
                .ask(
                        quorum.nodes(),
                        quorum.settings()
                                .patienceFor(quorum.settings().longestLease().toMillis()),
                        node -> node.look(key, CallMode.ASYNCHRONOUS),
                        (node, answer) -> {
                            CompletableFuture<NodeView> view = answer.handle((lock, failure) -> {
                                if (failure != null) {
                                    return new NodeView(
                                            node.address(),
                                            Optional.empty(),
                                            Optional.of(NodeAnswer.of(failure).text()));
                                }
                                synchronized (seen) {
                                    seen.put(node, lock);
                                }
                                return new NodeView(
                                        node.address(), lock.holds().stream().findFirst(), Optional.empty());
                            });
                            boolean complete;
                            synchronized (asked) {
                                asked.add(view);
                                complete = asked.size() == quorum.size();
                            }
                            if (complete) {
                                result.complete(merged(
                                        key,
                                        seen,
                                        asked.stream()
                                                .map(CompletableFuture::join)
                                                .toList()));
                            }
                        });
        return result;
    }

    private LockView merged(String key, Map<NodeStore, LockView> seen, List<NodeView> nodes) {
        Map<String, List<HoldView>> byToken = new LinkedHashMap<>();
        for (NodeView node : nodes) {
            node.hold()
                    .ifPresent(hold -> byToken.computeIfAbsent(hold.token(), none -> new ArrayList<>())
                            .add(hold));
        }
        Optional<HoldView> holder = byToken.values().stream()
                .filter(holds -> quorum.rules().isMajority(holds.size(), quorum.size()))
                .map(QuorumViews::ofAll)
                .findFirst();
        Optional<LockView> longest =
                seen.values().stream().max((one, other) -> Long.compare(one.waiting(), other.waiting()));
        return LockView.ofLock(
                        key,
                        holder,
                        longest.map(LockView::queue).orElse(List.of()),
                        longest.map(LockView::waiting).orElse(0L))
                .seenBy(nodes);
    }

    /** As long as the first of them lasts, with the largest number. */
    private static HoldView ofAll(List<HoldView> holds) {
        HoldView last = holds.stream()
                .max((one, other) -> Long.compare(number(one), number(other)))
                .orElseThrow();
        return new HoldView(
                last.token(),
                1,
                holds.stream()
                        .map(HoldView::remainingMillis)
                        .filter(java.util.OptionalLong::isPresent)
                        .min((one, other) -> Long.compare(one.getAsLong(), other.getAsLong()))
                        .orElse(last.remainingMillis()),
                last.record());
    }

    private static long number(HoldView hold) {
        return hold.record().map(record -> record.fencingToken()).orElse(0L);
    }

    /** One node after the other; a key that several know is told several times. */
    CompletionStage<LockStore.Page> list(String pattern, String cursor) {
        String[] parts = cursor.split(MARK, 2);
        int index = parts.length == 2 ? Integer.parseInt(parts[0]) : 0;
        String place = parts[parts.length - 1];
        return quorum.nodes()
                .get(index)
                .list(pattern, place, CallMode.ASYNCHRONOUS)
                .handle((page, failure) -> failure == null ? page : new LockStore.Page(List.of(), LockStore.Page.EDGE))
                .thenCompose(page -> looked(page).thenApply(views -> new LockStore.Page(views, next(index, page))));
    }

    private String next(int index, LockStore.Page page) {
        if (!page.isLast()) {
            return index + MARK + page.cursor();
        }
        return index + 1 < quorum.size() ? (index + 1) + MARK + LockStore.Page.EDGE : LockStore.Page.EDGE;
    }

    private CompletionStage<List<LockView>> looked(LockStore.Page page) {
        CompletionStage<List<LockView>> all = CompletableFuture.completedStage(new ArrayList<>());
        for (LockView view : page.locks()) {
            all = all.thenCombine(look(view.key()), (views, one) -> {
                views.add(one);
                return views;
            });
        }
        return all;
    }

    CompletionStage<Boolean> forceRelease(String key) {
        CompletionStage<Boolean> any = CompletableFuture.completedStage(false);
        for (NodeStore node : quorum.nodes()) {
            CompletionStage<Boolean> one =
                    node.forceRelease(key, CallMode.ASYNCHRONOUS).exceptionally(failure -> false);
            any = any.thenCombine(one, Boolean::logicalOr);
        }
        return any;
    }
}
