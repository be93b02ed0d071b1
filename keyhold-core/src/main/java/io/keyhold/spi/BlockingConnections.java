package io.keyhold.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link BlockingCalls} borrow connections, and release them. Methods throw what the driver's caller gets. For driver authors.
 *
 * @param <C> the driver's connection
 */
public interface BlockingConnections<C extends BlockingConnection> {

    /** {@return where the server is, for messages} */
    String address();

    /** {@return how long a call may wait for a connection} */
    Duration timeout();

    /**
     * Borrows a connection for one call or session alone; for {@link CallLane#RELEASE} one that has just been alive. Waits
     * through interrupts, because the interrupted thread may be about to release a lock.
     */
    C borrow(CallLane lane);

    /** Borrows a connection on which a reply can be awaited, if there is one without waiting for anything; else returns null. */
    default @Nullable C borrowNow(CallLane lane) {
        return null;
    }

    /** Takes back a connection in any state. */
    void release(CallLane lane, C connection);
}
