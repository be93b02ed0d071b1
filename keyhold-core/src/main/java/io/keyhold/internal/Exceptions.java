package io.keyhold.internal;

import io.keyhold.StoreUnavailableException;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;

/** What a failed stage failed with. */
public final class Exceptions {

    private Exceptions() {}

    /** Whether a connection broke under what a store was asked, so that another one may do better at once. */
    public static boolean isCut(Throwable failure) {
        return Stages.unwrapped(failure).getCause() instanceof RedisConnectionException connection
                && connection.failure() == RedisConnectionException.Failure.CUT;
    }

    /** Whether the store may have done what it was asked for. Anything unforeseen counts as that. */
    public static boolean isOutcomeUnknown(Throwable failure) {
        Throwable cause = Stages.unwrapped(failure);
        if (cause instanceof UnsupportedOperationException) {
            return false; // Refused before anything was sent.
        }
        return !(cause instanceof StoreUnavailableException known) || known.outcomeUnknown();
    }

    /** Whether the server itself said no. */
    public static boolean isRefusal(Throwable failure) {
        return Stages.unwrapped(failure).getCause() instanceof RedisErrorException;
    }

    /** Whether the server executed nothing because it is not, or not at the moment, a master that serves. */
    public static boolean isNotServing(Throwable failure) {
        return Stages.unwrapped(failure).getCause() instanceof RedisErrorException error && error.isNotServing();
    }
}
