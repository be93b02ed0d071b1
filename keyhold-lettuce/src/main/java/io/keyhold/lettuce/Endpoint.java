package io.keyhold.lettuce;

import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisUri;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The server as messages name it, how long to wait for it, and what Lettuce's exceptions mean.
 *
 * @param address host and port, or the path of a socket
 * @param connectTimeout for opening a connection, with all that belongs to it
 * @param commandTimeout for a reply
 * @param uri what the user wrote, if the client is not the application's
 */
record Endpoint(
        String address,
        Duration connectTimeout,
        Duration commandTimeout,
        @Nullable RedisUri uri) {

    Endpoint(RedisUri uri) {
        this(uri.address(), uri.connectTimeout(), uri.commandTimeout(), uri);
    }

    /** Returns the failure of a call for which no connection could be opened, so that nothing was sent. */
    Throwable connectFailure(Throwable e) {
        if (e instanceof RedisConnectionException || e instanceof RedisErrorException) {
            return e;
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException refusal) {
                return errorReply(refusal); // To AUTH or SELECT.
            }
        }
        return uri != null ? DriverFailures.cannotConnect(uri, e) : DriverFailures.cannotConnect(address, e);
    }

    /** Returns the failure of a call that may have been sent. */
    Throwable callFailure(Throwable e) {
        if (e instanceof RedisCommandExecutionException reply) {
            return errorReply(reply);
        }
        return e instanceof RedisCommandTimeoutException
                ? DriverFailures.timedOut(address, commandTimeout, e)
                : DriverFailures.broken(address, e);
    }

    RedisConnectionException closed() {
        return DriverFailures.closed(address);
    }

    private static RedisErrorException errorReply(RedisCommandExecutionException reply) {
        return new RedisErrorException(String.valueOf(reply.getMessage()));
    }
}
