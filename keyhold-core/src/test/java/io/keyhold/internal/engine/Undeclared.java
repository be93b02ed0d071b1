package io.keyhold.internal.engine;

import java.io.IOException;

/** What code in a language without checked exceptions throws. */
public final class Undeclared {

    private Undeclared() {}

    /** Throws an {@link IOException}, which the compiler does not see. */
    public static void ioException() {
        Undeclared.<RuntimeException>raise(new IOException("on purpose"));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> void raise(Throwable failure) throws X {
        throw (X) failure;
    }
}
