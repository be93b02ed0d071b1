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

    /** Closes connections that have been idle for a while, except one. */
    void trim();

    /** Lends nothing any more, and closes what is this source's own. */
    void close();
}
