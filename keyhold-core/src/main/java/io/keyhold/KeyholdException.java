package io.keyhold;

import org.jspecify.annotations.Nullable;

/** What can go wrong with locks. The message names the key and, where it is known, the holder. */
public abstract sealed class KeyholdException extends RuntimeException
        permits AcquireTimeoutException,
                AlreadyHeldException,
                KeyholdClosedException,
                LeaseLostException,
                SemaphoreLimitException,
                StoreUnavailableException {

    private static final long serialVersionUID = 1L;

    KeyholdException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
