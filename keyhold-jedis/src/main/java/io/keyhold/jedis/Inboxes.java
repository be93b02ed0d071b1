package io.keyhold.jedis;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The subscriptions of one driver, each with a thread of its own for as long as it lives. */
final class Inboxes {

    static final String NAME_PREFIX = Workers.NAME_PREFIX + "inbox-";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ConnectionSource connections;
    private final Set<Inbox> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Inboxes(ConnectionSource connections) {
        this.connections = connections;
    }

    /** Waits for nothing: connecting too is done by the new thread. */
    CompletionStage<RedisSubscription> open(String channel, RedisListener listener) {
        if (closed) {
            return CompletableFuture.failedFuture(closedDriver());
        }
        long deadline = connections.borrowDeadline();
        Inbox inbox = new Inbox(connections, channel, listener);
        Thread thread = new Thread(() -> listen(inbox, deadline), NAME_PREFIX + NUMBER.incrementAndGet());
        thread.setDaemon(true);
        thread.start();
        return inbox.begun();
    }

    private void listen(Inbox inbox, long deadline) {
        open.add(inbox);
        if (closed) { // Then close() may have missed it.
            inbox.close(closedDriver());
        }
        inbox.listen(deadline);
        open.remove(inbox);
    }

    /** Ends all of them. Does not wait for it. */
    void close() {
        closed = true;
        open.forEach(inbox -> inbox.close(closedDriver()));
    }

    private RuntimeException closedDriver() {
        return DriverFailures.closed(connections.address());
    }
}
