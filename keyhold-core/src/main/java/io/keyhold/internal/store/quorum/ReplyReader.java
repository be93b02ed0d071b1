package io.keyhold.internal.store.quorum;

import io.keyhold.spi.PendingReply;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the replies of nodes on the thread that asked them, after it has written to all. So a vote of quick nodes needs no other
 * thread. A node that turns out to be slow is left to a thread of its driver after a millisecond, and its driver offers no replies to
 * this one until it is quick again: it delays a decision by that much at most, and not again.
 *
 * <p>What is offered later, by the reply of a slow node, is read elsewhere: the thread has gone.
 */
final class ReplyReader implements Consumer<PendingReply> {

    private final Queue<PendingReply> unread = new ArrayDeque<>();
    private boolean over;

    @Override
    public void accept(PendingReply reply) {
        if (!isAdded(reply)) {
            reply.readInBackground();
        }
    }

    private synchronized boolean isAdded(PendingReply reply) {
        return !over && unread.add(reply);
    }

    /** Reads what was offered, and what is offered meanwhile. Each reply is acted on as it is read. */
    void readAll() {
        for (PendingReply reply = next(); reply != null; reply = next()) {
            if (!reply.read()) {
                reply.readInBackground();
            }
        }
    }

    private synchronized @Nullable PendingReply next() {
        PendingReply reply = unread.poll();
        over = reply == null;
        return reply;
    }
}
