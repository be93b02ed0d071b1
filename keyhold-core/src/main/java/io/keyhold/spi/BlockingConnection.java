package io.keyhold.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which a thread sends commands and waits for their replies. Used by one thread at a time; {@link #close} may come from any. For
 * driver authors.
 *
 * <p>All methods fail with the {@link RedisConnectionException} that the driver's caller gets, and the connection is broken then.
 */
public abstract class BlockingConnection extends PooledConnection {

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

    /** Writes one command, whose reply {@link #receive} reads. Called on connections from {@link BlockingConnections#borrowNow} only. */
    protected abstract void send(RedisCall call);

    /** Waits for the beginning of a reply, or of the connection's failure; at most for this time, and not at all if it is 0. */
    protected abstract boolean awaitReply(int millis);

    /** Waits for the reply to the command that was sent, and returns it as {@link #exchange} does. */
    protected abstract @Nullable Object receive();
}
