package io.keyhold.internal;

import io.keyhold.KeyholdClosedException;
import io.keyhold.LeaseLostException;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.WrongKindException;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.Stages;

/** Helpers for failures that travel through stages. */
public final class Exceptions {

    private Exceptions() {}

    /** Returns whether the connection broke under a call to a store, so that a new connection may succeed at once. */
    public static boolean isCut(Throwable failure) {
        return Stages.unwrapped(failure).getCause() instanceof RedisConnectionException connection
                && connection.failure() == RedisConnectionException.Failure.CONNECTION_LOST;
    }

    /**
     * Returns a copy of a failure with the stack trace of the current thread, to be thrown by it. The failure happened on
     * another thread, whose stack says nothing about the code that waited for it.
     */
    public static RuntimeException forThisThread(Throwable failure) {
        Throwable cause = Stages.unwrapped(failure);
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof StoreUnavailableException unavailable) {
            return new StoreUnavailableException(message, unavailable.outcomeUnknown(), cause.getCause());
        } else if (cause instanceof StoreRefusedException refused) {
            return new StoreRefusedException(message, refused.code(), cause.getCause());
        } else if (cause instanceof WrongKindException wrong) {
            return new WrongKindException(message, wrong.found(), cause.getCause());
        } else if (cause instanceof LeaseLostException lost) {
            return new LeaseLostException(message, lost.loss());
        } else if (cause instanceof SemaphoreLimitException limit) {
            return new SemaphoreLimitException(message, limit.permits());
        } else if (cause instanceof UnsupportedOperationException) {
            return new UnsupportedOperationException(message, cause);
        } else if (cause instanceof KeyholdClosedException) {
            return new KeyholdClosedException(message);
        } else if (cause instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("unexpected failure: " + cause, cause);
    }
}
