package io.keyhold.jedis;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.RedisErrorException;
import java.time.Duration;
import redis.clients.jedis.Connection;

/** Where connections come from and go back to. */
interface ConnectionSource {

    /** Where the server is, for messages. */
    String address();

    /** How long a call may wait for a connection. */
    Duration borrowTimeout();

    /** The instant ({@link System#nanoTime()}) until which a call that starts now may wait for a connection. */
    default long borrowDeadline() {
        return System.nanoTime() + borrowTimeout().toNanos();
    }

    /**
     * A connection for one call or session alone; for {@link CallLane#RELEASE} one that has just been alive. Waits through
     * interrupts: the interrupted thread may be about to release a lock. Throws what the driver's caller is to get.
     */
    Loan borrow(CallLane lane, long deadline);

    /** Takes back a connection that is as good as new. */
    void giveBack(Loan loan);

    /** Takes back a connection that must not be used again, and closes it. */
    void discard(Loan loan);

    /** As {@link #discard}. Connections that were opened before now are not lent again either, if this source can help it. */
    void dropAll(Loan loan);

    /** Takes back a connection on which the server replied with this error. */
    default void giveBack(Loan loan, RedisErrorException error) {
        if (error.isNotServing()) {
            dropAll(loan);
        } else {
            giveBack(loan);
        }
    }

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
