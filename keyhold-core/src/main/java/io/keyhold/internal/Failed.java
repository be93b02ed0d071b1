package io.keyhold.internal;

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
}
