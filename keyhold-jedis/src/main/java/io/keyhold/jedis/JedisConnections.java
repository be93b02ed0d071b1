package io.keyhold.jedis;

import io.keyhold.spi.BlockingConnections;

/** Where connections come from and go back to. */
interface JedisConnections extends BlockingConnections<JedisConnection> {

    /** Returns a connection for a subscription, which keeps it for long. */
    JedisConnection borrowForSubscription();

    /** Closes the connection of a subscription. */
    void discard(JedisConnection connection);

    /** Closes connections that have been idle for a while, except one. */
    void trim();

    /** Lends no connection any more, and closes those that are the driver's own. */
    void close();
}
