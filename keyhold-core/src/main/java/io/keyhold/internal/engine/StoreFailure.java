package io.keyhold.internal.engine;

import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.spi.RedisErrorException;

/** What a failed operation of a store means for what to do next. */
final class StoreFailure {

    private StoreFailure() {}

    /** An answer that somebody waits for must say something. */
    static HoldReply known(HoldReply reply) {
        if (reply instanceof HoldReply.Unknown unknown) {
            throw new StoreUnavailableException(unknown.detail(), true, null);
        }
        return reply;
    }

    /** Whether the server itself said no. */
    static boolean isRefusal(Throwable failure) {
        return failure.getCause() instanceof RedisErrorException;
    }

    /** Whether the store may have done what it was asked for. Anything unforeseen counts as that. */
    static boolean isOutcomeUnknown(Throwable failure) {
        if (failure instanceof UnsupportedOperationException) {
            return false; // Refused before anything was sent.
        }
        return !(failure instanceof StoreUnavailableException known) || known.outcomeUnknown();
    }
}
