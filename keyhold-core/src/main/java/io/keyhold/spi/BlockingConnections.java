package io.keyhold.spi;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where a {@link BlockingDriver} borrows connections, and releases them. Methods throw what the driver's caller gets. For driver authors. */
public interface BlockingConnections {

    /** {@return where the server is, for messages} */
    String address();

    /** {@return how long a call may wait for a connection} */
    Duration timeout();

    /**
     * Borrows a connection for one call or session alone; for {@link CallLane#RELEASE} one that has just been alive. Waits
     * through interrupts, because the interrupted thread may be about to release a lock, and keeps them; what then
     * touches a socket does it {@link #uninterrupted}.
     */
    BlockingConnection borrow(CallLane lane);

    /** Borrows a connection on which a reply can be awaited, if there is one without waiting for anything; else returns null. */
    default @Nullable BlockingConnection borrowNow(CallLane lane) {
        return null;
    }

    /** Takes back a connection in any state, except that of a subscription. */
    void release(CallLane lane, BlockingConnection connection);

    /** Borrows a connection for a subscription, which keeps it for long. */
    BlockingConnection borrowForSubscription();

    /** Takes back the connection of a subscription, which is closed. */
    default void discard(BlockingConnection connection) {}

    /** Closes connections that have been idle for a while, except one. As {@link RedisDriver#trim}. */
    void trim();

    /** Lends no connection any more, and closes those that are the driver's own. The driver closes the subscriptions. */
    void close();

    /**
     * Does the work on this thread with a pending interrupt put aside, and returns its result. Java closes the socket of a virtual thread that touches
     * it while interrupted, and the work may be the release of a lock by an interrupted thread.
     */
    static <T> T uninterrupted(Supplier<T> work) {
        boolean interrupted = Thread.interrupted();
        try {
            return work.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
