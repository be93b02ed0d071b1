package io.keyhold.lettuce;

import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisErrorException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What an exception of Lettuce means. The two moments are told apart by who asks: before the command was sent, or not. */
final class Failures {

    private Failures() {}

    /** No connection could be had within the time: nothing was sent. */
    static Throwable whileConnecting(Endpoint endpoint, Throwable e) {
        if (isOurs(e)) {
            return e;
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException refusal) {
                return errorReply(refusal); // to AUTH or SELECT
            }
        }
        return notConnected(
                e instanceof TimeoutException
                        ? "no connection to " + endpoint.address() + " within "
                                + endpoint.connectTimeout().toMillis() + " ms"
                        : "cannot connect to " + endpoint.address() + ": " + reason(e),
                e);
    }

    /** Whether Lettuce only says that its own handler of the handshake is gone, and not what the handshake failed of. */
    static boolean isWithoutReason(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof IllegalStateException) {
                return true;
            }
        }
        return false;
    }

    /** The connection failed when the command may have been on its way. */
    static Throwable whileTalking(Endpoint endpoint, Throwable e) {
        if (e instanceof RedisCommandExecutionException reply) {
            return errorReply(reply);
        }
        return e instanceof RedisCommandTimeoutException
                ? new RedisConnectionException(
                        Failure.TIMED_OUT,
                        "no reply from " + endpoint.address() + " within "
                                + endpoint.commandTimeout().toMillis() + " ms",
                        e)
                : cut("the connection to " + endpoint.address() + " broke before the reply came: " + reason(e), e);
    }

    /** The connection of a subscription ended. Without an exception, it was the server that closed it. */
    static Throwable whileListening(Endpoint endpoint, @Nullable Throwable e) {
        if (e != null && isOurs(e)) {
            return e;
        }
        String why = e == null ? "closed by the server" : reason(e);
        return cut("the connection to " + endpoint.address() + ", which was listened to, broke: " + why, e);
    }

    /** The subscription was closed by whoever had it. */
    static RedisConnectionException unsubscribed(Endpoint endpoint) {
        return cut("the subscription at " + endpoint.address() + " was closed", null);
    }

    /** The connection was lost, or given up by another call, before this one was sent. */
    static RedisConnectionException notSent(Endpoint endpoint) {
        return notConnected("the connection to " + endpoint.address() + " was lost", null);
    }

    /** Of a command for which there was a connection: whether that is lost, and the command was not sent. */
    static boolean isNotSent(Throwable e) {
        return e instanceof RedisConnectionException lost && lost.failure() == Failure.NOT_CONNECTED;
    }

    static RedisConnectionException closed(Endpoint endpoint) {
        return notConnected("the driver for " + endpoint.address() + " is closed", null);
    }

    private static boolean isOurs(Throwable e) {
        return e instanceof RedisConnectionException || e instanceof RedisErrorException;
    }

    private static RedisErrorException errorReply(RedisCommandExecutionException reply) {
        return new RedisErrorException(String.valueOf(reply.getMessage()));
    }

    private static RedisConnectionException cut(String message, @Nullable Throwable e) {
        return new RedisConnectionException(Failure.CUT, message, e);
    }

    private static RedisConnectionException notConnected(String message, @Nullable Throwable e) {
        return new RedisConnectionException(Failure.NOT_CONNECTED, message, e);
    }

    private static String reason(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
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
