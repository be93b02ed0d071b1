package io.keyhold.lettuce;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisErrorException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
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
        return e instanceof TimeoutException
                ? DriverFailures.notConnected(
                        "no connection to " + endpoint.address() + " within "
                                + endpoint.connectTimeout().toMillis() + " ms",
                        e)
                : DriverFailures.cannotConnect(endpoint.address(), e);
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
                ? DriverFailures.timedOut(endpoint.address(), endpoint.commandTimeout(), e)
                : DriverFailures.broken(endpoint.address(), e);
    }

    /** The connection of a subscription ended. Without an exception, it was the server that closed it. */
    static Throwable whileListening(Endpoint endpoint, @Nullable Throwable e) {
        if (e != null && isOurs(e)) {
            return e;
        }
        return DriverFailures.subscriptionBroken(endpoint.address(), e);
    }

    /** The connection was lost, or given up by another call, before this one was sent. */
    static RedisConnectionException notSent(Endpoint endpoint) {
        return DriverFailures.notConnected("the connection to " + endpoint.address() + " was lost", null);
    }

    /** Of a command for which there was a connection: whether that is lost, and the command was not sent. */
    static boolean isNotSent(Throwable e) {
        return e instanceof RedisConnectionException lost && lost.failure() == Failure.NOT_CONNECTED;
    }

    private static boolean isOurs(Throwable e) {
        return e instanceof RedisConnectionException || e instanceof RedisErrorException;
    }

    private static RedisErrorException errorReply(RedisCommandExecutionException reply) {
        return new RedisErrorException(String.valueOf(reply.getMessage()));
    }
}
