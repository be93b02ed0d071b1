package io.keyhold.jedis;

import redis.clients.jedis.Connection;

/** Where connections come from and go back to. */
interface ConnectionSource {

    /** Where the server is, for messages. */
    String address();

    /** The instant ({@link System#nanoTime()}) until which a call that starts now may wait for a connection. */
    long borrowDeadline();

    /**
     * A connection that nobody else uses. Waits through interrupts: whoever is interrupted may be about to release a
     * lock. Throws what the driver's caller is to get.
     */
    Connection borrow(long deadline);

    /** Takes back a connection that is as good as new. */
    void giveBack(Connection connection);

    /** Takes back a connection that must not be used again, and closes it. */
    void discard(Connection connection);

    /**
     * As {@link #borrow}, for a subscription, which keeps its connection for long. A source with connections of its own
     * does not count it among those for calls.
     */
    Connection borrowToListen(long deadline);

    /** Takes back a connection that was listened to, and closes it. */
    void discardListening(Connection connection);

    /** Closes connections that have been idle for a while, except one. */
    void trim();

    /** Lends nothing any more, and closes what is this source's own. */
    void close();
}
