package io.keyhold.embedded;

import io.keyhold.embedded.internal.RespConnection;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A subscription to what one sentinel publishes, such as {@code +sdown}, {@code +odown}, {@code +switch-master} and {@code
 * -sdown}. For one thread at a time.
 *
 * <pre>{@code
 * try (SentinelEvents events = sentinel.events(sentinel.sentinels().get(0))) {
 *     sentinel.master().kill();
 *     events.await("+switch-master", Duration.ofSeconds(60));
 * }
 * }</pre>
 */
public final class SentinelEvents implements AutoCloseable {
    private final EmbeddedRedis sentinel;
    private final ServerGroup sentinels;
    private final RespConnection connection;
    private final List<String> seen = new ArrayList<>();

    private SentinelEvents(EmbeddedRedis sentinel, ServerGroup sentinels, RespConnection connection) {
        this.sentinel = sentinel;
        this.sentinels = sentinels;
        this.connection = connection;
    }

    static SentinelEvents of(EmbeddedRedis sentinel, ServerGroup sentinels) {
        try {
            RespConnection connection = sentinels.connect(sentinel);
            try {
                connection.ask("PSUBSCRIBE", "*");
                return new SentinelEvents(sentinel, sentinels, connection);
            } catch (IOException e) {
                connection.close();
                throw e;
            }
        } catch (IOException e) {
            throw ServerGroup.failed(sentinel, e, "PSUBSCRIBE");
        }
    }

    /**
     * Waits for the next event of this name, and skips those before it.
     *
     * @param event such as {@code +switch-master}
     * @param timeout how long to wait
     * @return the words of the event, such as {@code mymaster 127.0.0.1 20001 127.0.0.1 20002}
     * @throws EmbeddedRedisException if it does not happen in time, or the sentinel ends; the message lists the events that
     *     happened instead
     */
    public String await(String event, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        seen.clear();
        try {
            while (true) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new SocketTimeoutException("no such event within " + timeout);
                }
                connection.timeout(Duration.ofMillis(1 + TimeUnit.NANOSECONDS.toMillis(left)));
                List<RespConnection.Reply> message =
                        connection.receive().elements(); // pmessage, pattern, channel, text
                if (message.size() == 4 && message.get(2).text().equals(event)) {
                    return message.get(3).text();
                }
                message.stream().skip(2).map(RespConnection.Reply::text).forEach(seen::add);
            }
        } catch (IOException e) {
            throw new EmbeddedRedisException(
                    "waiting for " + event + " of " + sentinel + ": " + e + "; seen: " + seen + sentinels.lastOutputs(),
                    e);
        }
    }

    /** Ends the subscription. */
    @Override
    public void close() {
        connection.close();
    }
}
