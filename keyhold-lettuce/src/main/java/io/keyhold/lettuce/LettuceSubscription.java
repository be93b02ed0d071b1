package io.keyhold.lettuce;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.GuardedListener;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One subscription, on a connection of its own. The thread that reads from it calls everything in order: first the
 * confirmation, which completes the stage, then messages, then the end.
 */
final class LettuceSubscription extends RedisPubSubAdapter<String, String>
        implements RedisConnectionStateListener, RedisSubscription {

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final Endpoint endpoint;
    private final RedisListener listener;
    private final BooleanSupplier driverClosed;
    private final AtomicReference<State> state = new AtomicReference<>(State.UNCONFIRMED);
    private final AtomicReference<@Nullable Throwable> reason = new AtomicReference<>();

    private enum State {
        UNCONFIRMED,
        CONFIRMED,
        ENDED
    }

    /** {@code driverClosed} is asked when the connection ends, as a reason for that. */
    LettuceSubscription(
            StatefulRedisPubSubConnection<String, String> connection,
            Endpoint endpoint,
            RedisListener listener,
            BooleanSupplier driverClosed) {
        this.connection = connection;
        this.endpoint = endpoint;
        this.listener = new GuardedListener(listener);
        this.driverClosed = driverClosed;
    }

    /** Fails with what the driver's caller gets. The command timeout holds for the confirmation, and only for it. */
    CompletionStage<RedisSubscription> subscribe(String channel) {
        CompletableFuture<RedisSubscription> confirmed = new CompletableFuture<>();
        // Before the command is sent: a message may follow immediately behind the confirmation.
        connection.addListener((RedisConnectionStateListener) this);
        connection.addListener((RedisPubSubListener<String, String>) this);
        SentCommand command = new SentCommand(RedisCall.of("SUBSCRIBE", channel), () -> {});
        command.whenComplete((reply, failure) -> {
            if (failure != null) {
                state.set(State.ENDED);
                LettuceConnection.close(connection);
                confirmed.completeExceptionally(endpoint.callFailure(failure));
            } else {
                state.set(State.CONFIRMED);
                if (!confirmed.complete(this)) { // The caller has completed it, and will not close this.
                    close();
                }
            }
        });
        try {
            connection.dispatch(command);
        } catch (RuntimeException e) {
            command.completeExceptionally(e);
        }
        return confirmed;
    }

    @Override
    public void message(String channel, String text) {
        if (state.get() == State.CONFIRMED) { // Otherwise the confirmation came too late.
            listener.onMessage(text);
        }
    }

    @Override
    public void onRedisExceptionCaught(RedisChannelHandler<?, ?> failed, Throwable cause) {
        reason.compareAndSet(null, DriverFailures.subscriptionBroken(endpoint.address(), cause));
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
        RedisConnectionException usual = driverClosed.getAsBoolean()
                ? endpoint.closed()
                : DriverFailures.subscriptionBroken(endpoint.address(), null);
        reason.compareAndSet(null, usual);
        LettuceConnection.close(connection); // The client keeps it in its books otherwise.
        Throwable end = reason.get();
        if (state.getAndSet(State.ENDED) == State.CONFIRMED && end != null) {
            listener.onClosed(end);
        }
    }

    @Override
    public void close() {
        reason.compareAndSet(null, DriverFailures.unsubscribed(endpoint.address()));
        LettuceConnection.close(connection);
    }
}
