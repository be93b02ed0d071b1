package io.keyhold.spi;

import java.util.ArrayList;
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
    final List<@Nullable Object> exchange(List<RedisCall> calls) {
        try {
            send(calls);
            spin();
            List<@Nullable Object> replies = new ArrayList<>(calls.size());
            while (replies.size() < calls.size()) {
                replies.add(receive());
            }
            return replies;
        } catch (Throwable e) { // The next call would get the replies that are left.
            markBroken();
            throw e;
        }
    }

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

    /** Writes commands in one go. {@link #receive} reads the reply to each. */
    protected abstract void send(List<RedisCall> calls);

    /**
     * Looks for input for a moment, if that is cheaper than to block at once. Called where the replies to all that was sent are waited for,
     * before the first of them. Does nothing unless overridden.
     */
    protected void spin() {}

    /**
     * Waits for the beginning of a reply, or of the connection's failure; at most for this time, and not at all if it is 0. Called on
     * connections from {@link BlockingConnections#borrowNow} only.
     */
    protected abstract boolean awaitReply(int millis);

    /** Waits for the next reply, or for a message of a subscription, and returns it; an error reply is a {@link RedisErrorException}. */
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
