package io.keyhold.jedis;

import io.keyhold.spi.DriverSubscription;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One subscription. Its thread opens a connection, subscribes, and then reads messages until the connection ends. Closing a
 * subscription closes the connection that the thread reads from.
 */
final class JedisSubscription extends DriverSubscription {

    static final String THREAD_PREFIX = JedisDriver.THREAD_PREFIX + "subscription-";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final JedisConnections connections;
    private final String channel;
    private volatile @Nullable JedisConnection current;

    JedisSubscription(JedisConnections connections, String channel, RedisListener listener) {
        super(listener);
        this.connections = connections;
        this.channel = channel;
    }

    /** Starts the thread, and waits for nothing. {@code ended} runs at the end of the thread. */
    CompletionStage<RedisSubscription> start(Runnable ended) {
        Runnable work = () -> {
            run();
            ended.run();
        };
        Thread thread = new Thread(work, THREAD_PREFIX + NUMBER.incrementAndGet());
        thread.setDaemon(true);
        thread.start();
        return confirmation();
    }

    private void run() {
        JedisConnection connection;
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
            connection.subscribe(channel);
            confirm();
            while (true) {
                // A RESP3 connection returns what the server pushes in the same form: kind, channel, text.
                if (connection.read() instanceof List<?> pushed
                        && "message".equals(pushed.get(0))
                        && pushed.get(2) instanceof String text) {
                    message(text);
                }
            }
        } catch (Throwable e) {
            connection.close();
            end(e);
        }
        // Last, because a pool may open another in its place, and take its time.
        connections.discard(connection);
    }

    @Override
    protected String address() {
        return connections.address();
    }

    @Override
    protected void closeConnection() {
        JedisConnection connection = current;
        if (connection != null) {
            connection.close();
        }
    }
}
