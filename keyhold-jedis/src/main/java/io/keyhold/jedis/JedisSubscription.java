package io.keyhold.jedis;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.GuardedListener;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisListener;
import io.keyhold.spi.RedisSubscription;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One subscription. Its thread opens a connection, subscribes, and then reads messages until the connection ends. Closing a
 * subscription closes the connection that the thread reads from.
 */
final class JedisSubscription implements RedisSubscription {

    static final String THREAD_PREFIX = IoExecutor.THREAD_PREFIX + "subscription-";

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Connections connections;
    private final String channel;
    private final RedisListener listener;
    private final CompletableFuture<RedisSubscription> confirmed = new CompletableFuture<>();
    private final AtomicReference<@Nullable RuntimeException> closing = new AtomicReference<>();
    private volatile @Nullable JedisConnection current;

    JedisSubscription(Connections connections, String channel, RedisListener listener) {
        this.connections = connections;
        this.channel = channel;
        this.listener = new GuardedListener(listener);
    }

    /**
     * Starts the thread, and waits for nothing.
     *
     * @param ended runs at the end of the thread
     * @return completes when the server has confirmed the subscription, or with what the driver's caller gets
     */
    CompletionStage<RedisSubscription> start(Runnable ended) {
        Runnable work = () -> {
            run();
            ended.run();
        };
        Thread thread = new Thread(work, THREAD_PREFIX + NUMBER.incrementAndGet());
        thread.setDaemon(true);
        thread.start();
        return confirmed;
    }

    private void run() {
        JedisConnection connection;
        try {
            connection = connections.borrowForSubscription();
        } catch (Throwable e) {
            confirmed.completeExceptionally(e);
            return;
        }
        Throwable failure = subscribe(connection);
        if (failure == null && confirmed.complete(this)) {
            Throwable end = read(connection);
            connection.close();
            listener.onClosed(end);
        } else {
            connection.close();
            confirmed.completeExceptionally(failure != null ? failure : unsubscribed());
        }
        // Last, because a pool may open another in its place, and take its time.
        connections.discard(connection);
    }

    /** Returns why it failed, or null. */
    private @Nullable Throwable subscribe(JedisConnection connection) {
        current = connection;
        try {
            if (closing.get() == null) { // Otherwise close() may have missed the connection.
                connection.exchange(RedisCall.of("SUBSCRIBE", channel));
                connection.jedis().setSoTimeout(0); // Waits indefinitely.
            }
            return closing.get();
        } catch (Throwable e) {
            return closedOr(e);
        }
    }

    private Throwable read(JedisConnection connection) {
        try {
            while (true) {
                // A RESP3 connection returns what the server pushes in the same form: kind, channel, text.
                if (connection.read() instanceof List<?> pushed
                        && "message".equals(pushed.get(0))
                        && pushed.get(2) instanceof String text) {
                    listener.onMessage(text);
                }
            }
        } catch (Throwable e) {
            return closedOr(DriverFailures.subscriptionBroken(connections.address(), e));
        }
    }

    @Override
    public void close() {
        close(unsubscribed());
    }

    /** Closes it from any thread, without waiting. The first reason counts. */
    void close(RuntimeException reason) {
        closing.compareAndSet(null, reason);
        JedisConnection connection = current;
        if (connection != null) {
            connection.close();
        }
    }

    private Throwable closedOr(Throwable failure) {
        RuntimeException closed = closing.get();
        return closed != null ? closed : failure;
    }

    private RuntimeException unsubscribed() {
        return DriverFailures.unsubscribed(connections.address());
    }
}
