package io.keyhold.internal.store.quorum;

import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.LockStore;
import io.keyhold.spi.CallMode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The locks that any node of a quorum sees as held: one node after the other, so that a key that several know is told several
 * times. A node that fails is left out, unless all do.
 */
record QuorumListing(Quorum quorum, QuorumViews views) {

    private static final String MARK = ":";

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
                            .map(seen -> views.look(seen.key()).toCompletableFuture())
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
