package io.keyhold.jedis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisErrorException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
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
        if (e instanceof JedisDataException refusal) {
            return errorReply(refusal); // to AUTH or SELECT
        }
        return notConnected("cannot connect to " + address + ": " + reason(e), e);
    }

    /** All connections were in use, for as long as the call could wait: nothing was sent. */
    static RedisConnectionException exhausted(String address, Duration patience) {
        return notConnected("no connection to " + address + " became free within " + patience.toMillis() + " ms", null);
    }

    /** The server replied to no call while this one was queued, for as long as it could wait: nothing was sent. */
    static RedisConnectionException silent(String address, Duration timeout) {
        return notConnected(
                "not sent: no reply from " + address + " to any call within " + timeout.toMillis() + " ms", null);
    }

    /** The connection failed when the command may have been on its way. */
    static RuntimeException whileTalking(String address, Connection connection, Throwable e) {
        return e.getCause() instanceof SocketTimeoutException
                ? new RedisConnectionException(
                        Failure.TIMED_OUT,
                        "no reply from " + address + " within " + connection.getSoTimeout() + " ms",
                        e)
                : cut("the connection to " + address + " broke before the reply came: " + reason(e), e);
    }

    /** The connection of a subscription failed. */
    static RedisConnectionException whileListening(String address, Throwable e) {
        return cut("the connection to " + address + ", which was listened to, broke: " + reason(e), e);
    }

    /** The subscription was closed by whoever had it. */
    static RedisConnectionException unsubscribed(String address) {
        return cut("the subscription at " + address + " was closed", null);
    }

    static RedisConnectionException closed(String address) {
        return notConnected("the driver for " + address + " is closed", null);
    }

    private static RedisConnectionException cut(String message, @Nullable Throwable e) {
        return new RedisConnectionException(Failure.CUT, message, e);
    }

    private static RedisConnectionException notConnected(String message, @Nullable Throwable e) {
        return new RedisConnectionException(Failure.NOT_CONNECTED, message, e);
    }

    /** Jedis hides the reason below its own exception, as the cause or (one for each address tried) as suppressed. */
    private static String reason(Throwable e) {
        Throwable root = e;
        while (true) {
            if (root.getCause() != null) {
                root = root.getCause();
            } else if (root.getSuppressed().length > 0) {
                root = root.getSuppressed()[0];
            } else {
                break;
            }
        }
        if (root instanceof UnknownHostException) {
            return "unknown host";
        }
        String words = root.getMessage();
        // What is not an everyday failure of a network is told with its type.
        boolean everyday = root instanceof IOException || root instanceof RuntimeException;
        return everyday && words != null ? words : root.toString();
    }
}
