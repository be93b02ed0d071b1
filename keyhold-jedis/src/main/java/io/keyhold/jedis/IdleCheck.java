package io.keyhold.jedis;

import io.keyhold.spi.RedisCall;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Finds out whether a connection that was idle is still alive.
 *
 * <p>By PING, because nothing less is certain: the end of a connection that the server closed waits in the socket, but a
 * machine that was restarted, or a firewall that has forgotten the connection, shows only when something is sent. It costs a
 * round trip, which is why a connection that has replied a moment ago is trusted.
 */
final class IdleCheck {

    private static final long MOMENT_NANOS = Duration.ofMillis(10).toNanos();
    private static final RedisCall PING = RedisCall.of("PING");

    private IdleCheck() {}

    /** Whether a connection that replied last at this instant ({@link System#nanoTime()}) has to be asked. */
    static boolean isDue(long lastReply) {
        return System.nanoTime() - lastReply > MOMENT_NANOS;
    }

    /** Whether the server replies. Takes no more than half of the time that is left, so that a new one can be opened. */
    static boolean passes(Connection connection, long deadline) {
        try {
            int usual = connection.getSoTimeout();
            int half = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis((deadline - System.nanoTime()) / 2));
            connection.setSoTimeout(usual == 0 ? half : Math.min(usual, half));
            ping(connection);
            connection.setSoTimeout(usual);
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    private static void ping(Connection connection) {
        try {
            Wire.exchange(connection, PING);
        } catch (JedisDataException e) {
            // Not permitted, say. It is a reply.
        }
    }
}
