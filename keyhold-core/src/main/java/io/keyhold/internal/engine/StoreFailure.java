package io.keyhold.internal.engine;

import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.Exceptions;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** What a failed operation of a store means for what to do next. */
final class StoreFailure {

    /** Beside those of a server that does not serve. */
    private static final Set<String> PASSING = Set.of("BUSY", "NOREPLICAS");

    private static final String TOO_MANY_CLIENTS = "max number of clients reached";

    private StoreFailure() {}

    /** An answer that somebody waits for must say something. */
    static HoldReply known(HoldReply reply) {
        if (reply instanceof HoldReply.Unknown unknown) {
            throw new StoreUnavailableException(unknown.detail(), true, null);
        }
        return reply;
    }

    /**
     * Whether the same call may succeed later although nothing is changed by hand: the server cannot be reached, does not
     * answer, or does not serve now. A request that waits goes on waiting then.
     */
    static boolean isPassing(Throwable failure) {
        if (!(failure instanceof StoreUnavailableException)) {
            return false;
        }
        Throwable cause = failure.getCause();
        if (cause == null) { // A quorum without a majority: the nodes' own failures are attached.
            return Arrays.stream(failure.getSuppressed())
                    .allMatch(node -> isPassing(node) || node instanceof TimeoutException);
        }
        return cause instanceof RedisConnectionException
                || (cause instanceof RedisErrorException error
                        && (error.isNotServing()
                                || PASSING.contains(error.code())
                                || String.valueOf(error.getMessage()).contains(TOO_MANY_CLIENTS)));
    }

    /**
     * Whether the server executed nothing because it is not, or not yet, a master that serves. Behind the same address
     * there may be another one by now, so that a new connection may help at once.
     */
    static boolean isNotServing(Throwable failure) {
        return Exceptions.isNotServing(failure);
    }

    /** Whether another connection may do better at once: this one broke, or leads to a server that does not serve. */
    static boolean isWorthRepeating(Throwable failure) {
        return Exceptions.isCut(failure) || isNotServing(failure);
    }

    /** Whether the server does not permit this, and will not until its access rules are changed. */
    static boolean isForbidden(Throwable failure) {
        return failure.getCause() instanceof RedisErrorException error
                && error.code().equals("NOPERM");
    }

    /** Whether the server itself said no. */
    static boolean isRefusal(Throwable failure) {
        return Exceptions.isRefusal(failure);
    }

    /** Whether the store may have done what it was asked for. Anything unforeseen counts as that. */
    static boolean isOutcomeUnknown(Throwable failure) {
        return Exceptions.isOutcomeUnknown(failure);
    }
}
