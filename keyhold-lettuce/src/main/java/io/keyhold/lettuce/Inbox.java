package io.keyhold.lettuce;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One subscription, on a connection of its own. All that is heard is heard on the thread that reads from it, in order:
 * the confirmation first, which completes the stage, then messages, then the end.
 */
final class Inbox extends RedisPubSubAdapter<String, String>
        implements RedisConnectionStateListener, RedisSubscription {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final Endpoint endpoint;
    private final RedisListener listener;
    private final BooleanSupplier driverClosed;
    private final AtomicReference<State> state = new AtomicReference<>(State.NOT_BEGUN);
    private volatile @Nullable Throwable reason;

    private enum State {
        NOT_BEGUN,
        BEGUN,
        OVER
    }

    /** The driver's being closed is asked for when the connection ends, as a reason for that. */
    Inbox(
            StatefulRedisPubSubConnection<String, String> connection,
            Endpoint endpoint,
            RedisListener listener,
            BooleanSupplier driverClosed) {
        this.connection = connection;
        this.endpoint = endpoint;
        this.listener = listener;
        this.driverClosed = driverClosed;
    }

    /** Fails with what the driver's caller is to get. The command timeout holds for the confirmation, and only for it. */
    CompletionStage<RedisSubscription> subscribe(String channel) {
        CompletableFuture<RedisSubscription> begun = new CompletableFuture<>();
        // All before it is sent, so that what follows on the heels of the confirmation finds it known.
        connection.addListener((RedisConnectionStateListener) this);
        connection.addListener((RedisPubSubListener<String, String>) this);
        SentCommand command = Commands.of(RedisCall.of("SUBSCRIBE", channel), () -> {});
        command.whenComplete((confirmed, failure) -> {
            if (failure != null) {
                state.set(State.OVER);
                hangUp();
                begun.completeExceptionally(Failures.whileTalking(endpoint, failure));
            } else {
                state.set(State.BEGUN);
                if (!begun.complete(this)) { // Whoever had the stage has completed it, and will not close this.
                    close();
                }
            }
        });
        try {
            connection.dispatch(command);
        } catch (RuntimeException e) {
            command.completeExceptionally(e);
        }
        return begun;
    }

    @Override
    public void message(String channel, String text) {
        if (state.get() != State.BEGUN) { // The confirmation came too late.
            return;
        }
        try {
            listener.message(text);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "a listener has failed; it will hear the next message all the same", e);
        }
    }

    @Override
    public void onRedisExceptionCaught(RedisChannelHandler<?, ?> broken, Throwable cause) {
        because(cause);
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
        if (driverClosed.getAsBoolean()) {
            because(DriverFailures.closed(endpoint.address()));
        }
        hangUp();
        if (state.getAndSet(State.OVER) != State.BEGUN) {
            return;
        }
        try {
            listener.ended(Failures.whileListening(endpoint, reason));
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "a listener has failed at the end of its subscription", e);
        }
    }

    @Override
    public void close() {
        because(DriverFailures.unsubscribed(endpoint.address()));
        hangUp();
    }

    /** The first reason counts. */
    private synchronized void because(Throwable cause) {
        if (reason == null) {
            reason = cause;
        }
    }

    /** To the client too, which notes every connection that it must close one day. */
    private void hangUp() {
        Line.close(connection);
    }
}
