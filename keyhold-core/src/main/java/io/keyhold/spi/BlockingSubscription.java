package io.keyhold.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A subscription of a {@link BlockingDriver}. Its thread opens a connection, subscribes, and then reads messages until the connection ends.
 * Closing a subscription closes the connection that the thread reads from.
 */
final class BlockingSubscription extends DriverSubscription {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final BlockingConnections connections;
    private final String channel;
    private volatile @Nullable BlockingConnection current;

    BlockingSubscription(BlockingConnections connections, String channel, RedisListener listener) {
        super(listener);
        this.connections = connections;
        this.channel = channel;
    }

    /** Starts the thread, and waits for nothing. {@code ended} runs at the end of the thread. */
    CompletionStage<RedisSubscription> start(String threadPrefix, Runnable ended) {
        Runnable work = () -> {
            run();
            ended.run();
        };
        Thread thread = new Thread(work, threadPrefix + "subscription-" + NUMBER.incrementAndGet());
        thread.setDaemon(true);
        thread.start();
        return confirmation();
    }

    private void run() {
        BlockingConnection connection;
        try {
            connection = connections.borrowForSubscription();
        } catch (Throwable e) {
            end(e);
            return;
        }
        current = connection;
        if (isClosing()) { // Then close() may have missed the connection.
            connection.close();
        }
        try {
            connection.exchangeAll(List.of(RedisCall.of("SUBSCRIBE", channel)));
            connection.setTimeout(0);
            confirm();
            readMessages(connection);
        } catch (Throwable e) {
            connection.close();
            end(e);
        }
        // Last, because a pool may open another in its place, and take its time.
        connections.discard(connection);
    }

    private void readMessages(BlockingConnection connection) {
        try {
            while (true) {
                Object pushed = connection.receive();
                if (pushed instanceof RedisErrorException error) {
                    throw error;
                }
                // A RESP3 connection returns what the server pushes in the same form: kind, channel, text.
                if (pushed instanceof List<?> parts
                        && "message".equals(parts.get(0))
                        && parts.get(2) instanceof String text) {
                    message(text);
                }
            }
        } catch (Throwable e) {
            throw DriverFailures.subscriptionBroken(address(), e);
        }
    }

    @Override
    protected String address() {
        return connections.address();
    }

    @Override
    protected void closeConnection() {
        BlockingConnection connection = current;
        if (connection != null) {
            connection.close();
        }
    }
}
