package io.keyhold.spi;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which a thread sends commands and waits for their replies. Used by one thread at a time; {@link #close} may come from any. For
 * driver authors.
 *
 * <p>All methods fail with the {@link RedisConnectionException} that the driver's caller gets, and the connection is broken then.
 */
public abstract class BlockingConnection extends PooledConnection {

    private static final RedisCall PING = RedisCall.of("PING");

    /** Creates a connection, as {@link PooledConnection} does. */
    protected BlockingConnection(Generation generation, long lastReply) {
        super(generation, lastReply);
    }

    /**
     * Sends the commands in one go and waits for all replies.
     *
     * @return the replies in the same order; an error reply is a {@link RedisErrorException} in its place
     */
    protected abstract List<@Nullable Object> exchange(List<RedisCall> calls);

    /** Does the same, and throws the first error reply. */
    final List<@Nullable Object> exchangeAll(List<RedisCall> calls) {
        List<@Nullable Object> replies = exchange(calls);
        for (Object reply : replies) {
            if (reply instanceof RedisErrorException error) {
                throw error;
            }
        }
        return replies;
    }

    /** Writes one command, whose reply {@link #receive} reads. Called on connections from {@link BlockingConnections#borrowNow} only. */
    protected abstract void send(RedisCall call);

    /** Waits for the beginning of a reply, or of the connection's failure; at most for this time, and not at all if it is 0. */
    protected abstract boolean awaitReply(int millis);

    /** Waits for the reply to the command that was sent, or for a message of a subscription, and returns it as {@link #exchange} does. */
    protected abstract @Nullable Object receive();

    /** {@return how long a reply may take, in milliseconds; 0 if it may take any length of time} */
    protected abstract int timeout();

    /** Sets how long a reply may take. */
    protected abstract void setTimeout(int millis);

    /**
     * Returns whether a call of the lane may be sent on it, after a {@linkplain #needsPing PING} if need be. It is broken if not.
     *
     * @param deadline by {@link System#nanoTime()}; the server has half of the time until then to reply
     */
    public final boolean isAliveFor(CallLane lane, long deadline) {
        if (!needsPing(lane)) {
            return true;
        }
        try {
            int usual = timeout();
            int half = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis((deadline - System.nanoTime()) / 2));
            setTimeout(usual == 0 ? half : Math.min(usual, half));
            exchange(List.of(PING));
            setTimeout(usual);
            return true;
        } catch (Throwable e) {
            markBroken();
            return false;
        }
    }
}
