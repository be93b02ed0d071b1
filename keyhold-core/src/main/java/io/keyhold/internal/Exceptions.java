package io.keyhold.internal;

import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.Stages;

/** What a failed stage failed with. */
public final class Exceptions {

    private Exceptions() {}

    /** Whether a connection broke under what a store was asked, so that another one may do better at once. */
    public static boolean isCut(Throwable failure) {
        return Stages.unwrapped(failure).getCause() instanceof RedisConnectionException connection
                && connection.failure() == RedisConnectionException.Failure.CUT;
    }
}
