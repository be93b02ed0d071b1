package io.keyhold.jedis;

import io.keyhold.spi.CallLane;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where connections come from and go back to. Methods throw what the driver's caller gets. */
interface Connections {

    /** Returns where the server is, for messages. */
    String address();

    /** Returns how long a call may wait for a connection. */
    Duration timeout();

    /**
     * Returns a connection for one call or session alone; for {@link CallLane#RELEASE} one that has just been alive. Waits
     * through interrupts, because the interrupted thread may be about to release a lock.
     */
    JedisConnection borrow(CallLane lane);

    /**
     * Returns a connection as {@link #borrow} does, on which a reply can be {@linkplain JedisConnection#awaitReply awaited}, if there is one
     * without waiting for anything; else null.
     */
    default @Nullable JedisConnection borrowNow(CallLane lane) {
        return null;
    }

    /** Takes back a connection in any state. */
    void giveBack(CallLane lane, JedisConnection connection);

    /** Returns a connection for a subscription, which keeps it for long. */
    JedisConnection borrowForSubscription();

    /** Closes the connection of a subscription. */
    void discard(JedisConnection connection);

    /** Closes connections that have been idle for a while, except one. */
    default void trim() {}

    /** Lends no connection any more, and closes those that are the driver's own. */
    void close();
}
