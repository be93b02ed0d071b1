package io.keyhold.internal;

import io.keyhold.spi.RedisConnectionException;
import java.util.concurrent.CompletionException;

/** What a failed stage failed with. */
public final class Failed {

    private Failed() {}

    /** The failure, without the wrapping that futures put around it. */
    public static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Whether a connection broke under what a store was asked, so that another one may do better at once. */
    public static boolean isCut(Throwable failure) {
        return unwrapped(failure).getCause() instanceof RedisConnectionException connection
                && connection.failure() == RedisConnectionException.Failure.CUT;
    }
}
