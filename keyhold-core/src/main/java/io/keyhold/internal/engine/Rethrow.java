package io.keyhold.internal.engine;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.KeyholdClosedException;
import io.keyhold.LeaseLostException;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.spi.Stages;

/**
 * Brings a failure from the thread where it happened to the thread that waits for it, whose stack trace is the one that a
 * reader needs.
 */
final class Rethrow {

    private Rethrow() {}

    /** The same failure with the stack of the present thread; throw it. */
    static RuntimeException here(Throwable failure) {
        Throwable cause = Stages.unwrapped(failure);
        RuntimeException copy;
        if (cause instanceof StoreUnavailableException unavailable) {
            copy = new StoreUnavailableException(message(cause), unavailable.outcomeUnknown(), cause.getCause());
        } else if (cause instanceof AcquireTimeoutException timeout) {
            copy = new AcquireTimeoutException(message(cause), timeout.attempts());
        } else if (cause instanceof LeaseLostException lost) {
            copy = new LeaseLostException(message(cause), lost.loss());
        } else if (cause instanceof SemaphoreLimitException limit) {
            copy = new SemaphoreLimitException(message(cause), limit.permits());
        } else if (cause instanceof UnsupportedOperationException) {
            copy = new UnsupportedOperationException(message(cause), cause);
        } else if (cause instanceof KeyholdClosedException) {
            copy = new KeyholdClosedException(message(cause));
        } else if (cause instanceof Error error) {
            throw error;
        } else {
            return new IllegalStateException("unexpected failure: " + cause, cause);
        }
        return copy;
    }

    private static String message(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }
}
