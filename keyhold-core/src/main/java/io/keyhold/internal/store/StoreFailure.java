package io.keyhold.internal.store;

import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.Exceptions;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** Classifies the failures of a store by what to do next. */
public final class StoreFailure {

    /** Passing errors besides those of a server that is not serving. */
    private static final Set<String> PASSING = Set.of("BUSY", "NOREPLICAS");

    private static final String TOO_MANY_CLIENTS = "max number of clients reached";

    private StoreFailure() {}

    /** Returns the reply, or throws if the outcome is unknown. */
    public static HoldReply known(HoldReply reply) {
        if (reply instanceof HoldReply.Unknown unknown) {
            throw new StoreUnavailableException(unknown.detail(), true, null);
        }
        return reply;
    }

    /**
     * Returns whether the same call may succeed later without any intervention: the server is unreachable, does not reply, or
     * is not serving now. A waiting request then keeps waiting.
     */
    public static boolean isPassing(Throwable failure) {
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
     * Returns whether the server executed nothing because it is not (yet) a serving master. The address may lead to another
     * server by now, so that a new connection may succeed at once.
     */
    public static boolean isNotServing(Throwable failure) {
        return failure.getCause() instanceof RedisErrorException error && error.isNotServing();
    }

    /** Returns whether a new connection may succeed at once: this one broke, or leads to a server that is not serving. */
    public static boolean isWorthRepeating(Throwable failure) {
        return Exceptions.isCut(failure) || isNotServing(failure);
    }

    /** Returns whether the server's access rules forbid the call. */
    public static boolean isForbidden(Throwable failure) {
        return failure.getCause() instanceof RedisErrorException error
                && error.code().equals("NOPERM");
    }

    /** Returns whether the server itself refused the call. */
    public static boolean isRefusal(Throwable failure) {
        return failure.getCause() instanceof RedisErrorException;
    }

    /** Returns whether the store may have executed the call. Unforeseen failures count as unknown. */
    public static boolean isOutcomeUnknown(Throwable failure) {
        Throwable cause = Stages.unwrapped(failure);
        if (cause instanceof UnsupportedOperationException) {
            return false; // Refused before anything was sent.
        }
        return !(cause instanceof StoreUnavailableException known) || known.outcomeUnknown();
    }
}
