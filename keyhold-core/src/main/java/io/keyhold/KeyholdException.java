package io.keyhold;

import org.jspecify.annotations.Nullable;

/**
 * The base of all exceptions about locks. The message says what failed, on which key, why, and what to do. Wrong arguments throw
 * {@link IllegalArgumentException} or {@link NullPointerException}, and what a client does not support throws
 * {@link UnsupportedOperationException}.
 */
public abstract sealed class KeyholdException extends RuntimeException
        permits AcquireTimeoutException,
                AlreadyHeldException,
                KeyholdClosedException,
                LeaseLostException,
                SemaphoreLimitException,
                StoreRefusedException,
                StoreUnavailableException,
                WrongKindException {

    private static final long serialVersionUID = 1L;

    KeyholdException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
