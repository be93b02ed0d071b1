package io.keyhold.jedis;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One subscription. A thread opens its connection, subscribes, and then reads what is said on the channel until the
 * connection ends. To close it is to close the connection below that thread, which can wait for nothing else.
 */
final class Inbox implements RedisSubscription {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    /** What {@link Connection#setSoTimeout} takes for ever: a channel may be silent for any length of time. */
    private static final int NO_TIMEOUT = 0;

    private final ConnectionSource connections;
    private final String channel;
    private final RedisListener listener;
    private final CompletableFuture<RedisSubscription> begun = new CompletableFuture<>();
    private @Nullable Connection current;
    private @Nullable RuntimeException closing;

    Inbox(ConnectionSource connections, String channel, RedisListener listener) {
        this.connections = connections;
        this.channel = channel;
        this.listener = listener;
    }

    /** Completes when the server has confirmed the subscription, or with what the driver's caller is to get. */
    CompletionStage<RedisSubscription> begun() {
        return begun;
    }

    /** Does all of it, on this thread: returns when nothing will be heard any more. Throws nothing. */
    void listen(long deadline) {
        Connection connection;
        try {
            connection = connections.borrowToListen(deadline);
        } catch (Throwable e) {
            begun.completeExceptionally(e);
            return;
        }
        Throwable failure = subscribe(connection);
        if (failure == null && begun.complete(this)) {
            Throwable end = read(connection);
            disconnect(connection);
            ended(end);
        } else {
            disconnect(connection);
            begun.completeExceptionally(failure != null ? failure : unsubscribed());
        }
        // Last, because a pool may open another in its place, and take its time.
        connections.discardListening(connection);
    }

    /** Returns why it failed, or null. */
    private @Nullable Throwable subscribe(Connection connection) {
        try {
            hold(connection);
            Wire.exchange(connection, RedisCall.of("SUBSCRIBE", channel));
            connection.setSoTimeout(NO_TIMEOUT);
            // A connection that was closed before it was used has opened itself again, unknown to whoever closed it.
            return closing();
        } catch (JedisDataException e) {
            return Failures.errorReply(e);
        } catch (Throwable e) {
            RuntimeException closed = closing();
            return closed != null ? closed : Failures.whileTalking(connections.address(), connection, e);
        }
    }

    private Throwable read(Connection connection) {
        try {
            while (true) {
                // A RESP3 connection gives what the server pushes in the same form: kind, channel, text.
                if (Replies.decoded(Wire.next(connection)) instanceof List<?> said
                        && "message".equals(said.get(0))
                        && said.get(2) instanceof String text) {
                    message(text);
                }
            }
        } catch (Throwable e) {
            RuntimeException closed = closing();
            return closed != null ? closed : DriverFailures.subscriptionBroken(connections.address(), e);
        }
    }

    private void message(String text) {
        try {
            listener.message(text);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "a listener has failed; it will hear the next message all the same", e);
        }
    }

    private void ended(Throwable reason) {
        try {
            listener.ended(reason);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "a listener has failed at the end of its subscription", e);
        }
    }

    @Override
    public void close() {
        close(unsubscribed());
    }

    /** From any thread, and without waiting. The first reason counts. */
    synchronized void close(RuntimeException reason) {
        if (closing == null) {
            closing = reason;
            if (current != null) {
                disconnect(current);
            }
        }
    }

    private synchronized void hold(Connection connection) {
        if (closing != null) {
            throw closing;
        }
        current = connection;
    }

    private synchronized @Nullable RuntimeException closing() {
        return closing;
    }

    private RuntimeException unsubscribed() {
        return DriverFailures.unsubscribed(connections.address());
    }

    private static void disconnect(Connection connection) {
        try {
            connection.forceDisconnect();
        } catch (IOException e) {
            // Declared, but not thrown: Jedis closes the socket quietly.
        }
    }
}
