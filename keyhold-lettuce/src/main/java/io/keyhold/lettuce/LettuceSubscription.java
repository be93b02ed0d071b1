package io.keyhold.lettuce;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.DriverSubscription;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * One subscription, on a connection of its own. The thread that reads from it reports everything in order: first the
 * confirmation, then messages, then the end.
 */
final class LettuceSubscription extends DriverSubscription implements RedisConnectionStateListener {

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final Endpoint endpoint;
    private final BooleanSupplier driverClosed;

    /** {@code driverClosed} is asked when the connection ends, as a reason for that. */
    LettuceSubscription(
            StatefulRedisPubSubConnection<String, String> connection,
            Endpoint endpoint,
            RedisListener listener,
            BooleanSupplier driverClosed) {
        super(listener);
        this.connection = connection;
        this.endpoint = endpoint;
        this.driverClosed = driverClosed;
    }

    /** Fails with what the driver's caller gets. The command timeout holds for the confirmation, and only for it. */
    CompletionStage<RedisSubscription> subscribe(String channel) {
        // Before the command is sent: a message may follow immediately behind the confirmation.
        connection.addListener(this);
        connection.addListener(new RedisPubSubAdapter<String, String>() {
            @Override
            public void message(String from, String text) {
                LettuceSubscription.this.message(text);
            }
        });
        SentCommand command = new SentCommand(RedisCall.of("SUBSCRIBE", channel), () -> {});
        command.whenComplete((reply, failure) -> {
            if (failure == null) {
                confirm();
            } else {
                end(endpoint.callFailure(failure));
                closeConnection();
            }
        });
        SentCommand.dispatch(connection, List.of(command));
        return confirmation();
    }

    @Override
    public void onRedisExceptionCaught(RedisChannelHandler<?, ?> failed, Throwable cause) {
        because(DriverFailures.subscriptionBroken(address(), cause));
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
        closeConnection(); // The client keeps it in its books otherwise.
        end(driverClosed.getAsBoolean() ? endpoint.closed() : DriverFailures.subscriptionBroken(address(), null));
    }

    @Override
    protected String address() {
        return endpoint.address();
    }

    @Override
    protected void closeConnection() {
        LettuceConnection.close(connection);
    }
}
