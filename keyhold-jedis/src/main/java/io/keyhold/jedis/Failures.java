package io.keyhold.jedis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;

/** What an exception of Jedis means. The two moments are told apart by who asks: before the command was sent, or not. */
final class Failures {

    private Failures() {}

    /**
     * The server's words. Jedis widens each byte of an error line to a char of its own, so bytes are made of the chars
     * again and read as what they are.
     */
    static RedisErrorException errorReply(JedisDataException reply) {
        String widened = String.valueOf(reply.getMessage());
        byte[] bytes = new byte[widened.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) widened.charAt(i);
        }
        return new RedisErrorException(new String(bytes, UTF_8));
    }

    /** No connection could be had: nothing was sent. */
    static RuntimeException whileConnecting(String address, Throwable e) {
        // The server's refusal of AUTH or SELECT.
        return e instanceof JedisDataException refusal ? errorReply(refusal) : DriverFailures.cannotConnect(address, e);
    }

    /** All connections were in use, for as long as the call could wait: nothing was sent. */
    static RedisConnectionException exhausted(String address, Duration patience) {
        return DriverFailures.notConnected(
                "no connection to " + address + " became free within " + patience.toMillis() + " ms", null);
    }

    /** The server replied to no call while this one was queued, for as long as it could wait: nothing was sent. */
    static RedisConnectionException silent(String address, Duration timeout) {
        return DriverFailures.notConnected(
                "not sent: no reply from " + address + " to any call within " + timeout.toMillis() + " ms", null);
    }

    /** The connection failed when the command may have been on its way. */
    static RuntimeException whileTalking(String address, Connection connection, Throwable e) {
        return e.getCause() instanceof SocketTimeoutException
                ? DriverFailures.timedOut(address, Duration.ofMillis(connection.getSoTimeout()), e)
                : DriverFailures.broken(address, e);
    }
}
