package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdException;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.NodeSnapshot;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.Snapshots;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.internal.store.quorum.Broadcast.NodeReply;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Merges what the nodes of a quorum see: the holder of a majority of them holds the lock, and each node's own view is part of
 * the snapshot. Nodes that cannot be asked are named; a snapshot fails only if none can.
 */
final class QuorumViews {

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final String MARK = ":";

    private final Quorum quorum;
    private final Broadcast broadcast;
    private volatile boolean hasReplied;

    QuorumViews(Quorum quorum, Broadcast broadcast) {
        this.quorum = quorum;
        this.broadcast = broadcast;
    }

    CompletionStage<LockSnapshot> look(String key) {
        return ask((node, unread) -> node.look(key, CallMode.ASYNCHRONOUS)).thenApply(replies -> merged(key, replies));
    }

    private <T> CompletionStage<List<NodeReply<T>>> ask(Broadcast.Request<T> request) {
        return broadcast.gather(quorum.nodes(), timeout(), request).thenApply(replies -> {
            long count = replies.stream().flatMap(each -> each.reply().stream()).count();
            hasReplied = hasReplied || quorum.isMajority((int) count);
            return replies;
        });
    }

    /** Longer until a majority has replied once: connections have to be made, in a JVM that may be cold. */
    private Duration timeout() {
        long longest = quorum.settings().longestLease().toMillis();
        return hasReplied
                ? quorum.settings().majorityTimeoutFor(longest)
                : quorum.settings().firstMajorityTimeoutFor(longest);
    }

    private LockSnapshot merged(String key, List<NodeReply<LockSnapshot>> replies) {
        LockSnapshot longestQueue = replies.stream()
                .flatMap(each -> each.reply().stream())
                .max(Comparator.comparingLong(LockSnapshot::waiterCount))
                .orElseThrow(() -> failure(
                        "cannot look at '" + Formats.cut(key, 80) + "': no node of the quorum could be read: ",
                        false,
                        replies));
        List<NodeSnapshot> nodes = replies.stream()
                .map(each -> new NodeSnapshot(
                        each.node().address(), each.reply().flatMap(LockSnapshot::holder), each.trouble()))
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

    private <T> KeyholdException failure(String message, boolean outcomeUnknown, List<NodeReply<T>> replies) {
        String troubles = replies.stream()
                .flatMap(each ->
                        each.trouble().stream().map(trouble -> each.node().address() + " " + trouble))
                .collect(Collectors.joining("; "));
        List<Throwable> failures =
                replies.stream().flatMap(each -> each.failure().stream()).toList();
        return quorum.failure(message + troubles, outcomeUnknown, failures);
    }

    /** Ends the hold at each node. Waiters are told to ask; the lock is handed over to none of them. */
    CompletionStage<Boolean> forceRelease(String key) {
        return ask((node, unread) -> forceRelease(node, key)).thenApply(replies -> heldAnywhere(key, replies));
    }

    /** A holder may keep a majority that could not be asked: then it is not known to be gone. */
    private boolean heldAnywhere(String key, List<NodeReply<Boolean>> replies) {
        List<Boolean> held =
                replies.stream().flatMap(each -> each.reply().stream()).toList();
        if (!quorum.isMajority(held.size())) {
            throw failure(
                    "cannot force the release of '" + Formats.cut(key, 80) + "': too few nodes replied: ",
                    true,
                    replies);
        }
        return held.contains(true);
    }

    private static CompletionStage<Boolean> forceRelease(VotingNode node, String key) {
        return node.look(key, CallMode.ASYNCHRONOUS)
                .thenCompose(seen -> seen.holder()
                        .map(holder -> node.giveUp(ReleaseRequest.of(new Claim.Lock(key), holder.token()), null)
                                .thenApply(HoldReply.Done.class::isInstance))
                        .orElseGet(() -> CompletableFuture.completedStage(false)));
    }

    CompletionStage<List<QuorumNode>> nodes() {
        VoteRequest.Admission admission = quorum.settings().admission(VoteRequest.IfFresh.WAIT);
        return ask((node, unread) -> node.quarantineMillis(admission))
                .thenApply(replies -> replies.stream()
                        .map(each -> new QuorumNode(
                                each.node().address(),
                                each.reply().filter(millis -> millis > 0).map(Duration::ofMillis),
                                each.trouble()))
                        .toList());
    }

    /**
     * Where the listing is.
     *
     * @param node the index of the node that is asked
     * @param listed how many nodes before it were listed to the end
     * @param place how far it has got there
     */
    private record Cursor(int node, int listed, String place) {

        static Cursor of(String text) {
            if (text.equals(LockStore.Page.EDGE)) {
                return new Cursor(0, 0, LockStore.Page.EDGE);
            }
            String[] parts = text.split(MARK, 3);
            return new Cursor(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2]);
        }

        String text() {
            return node + MARK + listed + MARK + place;
        }
    }

    /**
     * Lists the locks that any node sees as held: one node after the other, so that a key that several know is told several
     * times. A node that fails is left out, unless all do.
     */
    CompletionStage<LockStore.Page> list(String pattern, String cursor) {
        Cursor at = Cursor.of(cursor);
        CompletableFuture<LockStore.Page> asked = quorum.nodes()
                .get(at.node())
                .list(pattern, at.place(), CallMode.ASYNCHRONOUS)
                .toCompletableFuture();
        return asked.handle((page, failure) -> page).thenCompose(page -> {
            boolean isLastNode = at.node() + 1 == quorum.size();
            if (page == null && isLastNode && at.listed() == 0) {
                return asked;
            }
            // A page of one node has no more than a few hundred locks.
            List<LockSnapshot> found = page == null ? List.of() : page.locks();
            return Broadcast.all(found.stream()
                            .map(seen -> look(seen.key()).toCompletableFuture())
                            .toList())
                    .thenApply(locks -> new LockStore.Page(locks, next(at, page)));
        });
    }

    private String next(Cursor at, LockStore.@Nullable Page page) {
        if (page != null && !page.isLast()) {
            return new Cursor(at.node(), at.listed(), page.cursor()).text();
        }
        return at.node() + 1 < quorum.size()
                ? new Cursor(at.node() + 1, at.listed() + (page == null ? 0 : 1), LockStore.Page.EDGE).text()
                : LockStore.Page.EDGE;
    }
}
