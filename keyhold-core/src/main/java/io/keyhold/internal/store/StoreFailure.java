package io.keyhold.internal.store;

import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.WrongKindException;
import io.keyhold.inspect.LockKind;
import io.keyhold.internal.Exceptions;
import io.keyhold.internal.Formats;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Classifies the failures of a store by what to do next, and says why a store refuses what it is asked before it sends anything. */
public final class StoreFailure {

    /** Passing errors besides those of a server that is not serving. */
    private static final Set<String> PASSING = Set.of("BUSY", "NOREPLICAS", "TRYAGAIN");

    /** A cluster's nodes go on with "+ cluster connections reached". */
    private static final String TOO_MANY_CLIENTS = "max number of clients";

    /** What a server says of an error that was raised inside a script, in every version. */
    private static final String RAISED_INSIDE = "user_script";

    /** What Redis 6.2 says of an error that a script returns. */
    private static final String RETURNED = "@user_script:";

    /** Errors by which a server that serves refuses the first write of a script, and so every write. */
    private static final Set<String> REFUSED_AS_A_WHOLE = Set.of("OOM", "NOREPLICAS", "MISCONF");

    private StoreFailure() {}

    /** Returns the reply, or throws if the outcome is unknown. */
    public static HoldReply known(HoldReply reply) {
        if (reply instanceof HoldReply.Unknown unknown) {
            throw new StoreUnavailableException(unknown.detail(), true, null);
        }
        return reply;
    }

    /** Returns the reason why a key that is in use as this kind cannot be used, for a message. */
    public static String inUseAs(LockKind found) {
        String kind = switch (found) {
            case LOCK -> "lock";
            case SEMAPHORE -> "semaphore";
            case READ_WRITE -> "read/write lock";
        };
        return "the key is in use as a " + kind + "; choose another key";
    }

    /**
     * Returns the reason why a lease is refused, for a message; empty if it is not longer than the longest.
     *
     * @param rule the message, with {@code %s} for the longest lease and for this one
     */
    public static Optional<String> tooLong(long leaseMillis, Duration longest, String rule) {
        boolean endless = leaseMillis == AcquireRequest.NO_EXPIRY;
        return !endless && leaseMillis <= longest.toMillis()
                ? Optional.empty()
                : Optional.of(String.format(
                        rule,
                        Formats.duration(longest),
                        endless ? "unlimited" : Formats.duration(Duration.ofMillis(leaseMillis))));
    }

    /** Does the work, or fails before anything is sent if it is refused for this reason. */
    public static <T> CompletionStage<T> unless(Optional<String> refusal, Supplier<CompletionStage<T>> work) {
        return refusal.isPresent()
                ? CompletableFuture.failedStage(new UnsupportedOperationException(refusal.get()))
                : work.get();
    }

    /**
     * Returns whether the same call may succeed later without any intervention: the server is unreachable, does not reply, or
     * is not serving now. A waiting request then keeps waiting.
     */
    public static boolean isPassing(Throwable failure) {
        Throwable cause = failure.getCause();
        if (cause instanceof UnacknowledgedException open) {
            return open.isPassing();
        }
        if (failure instanceof StoreRefusedException) {
            return cause instanceof RedisErrorException error
                    && (error.isServerUnavailable()
                            || PASSING.contains(error.code())
                            || String.valueOf(error.getMessage()).contains(TOO_MANY_CLIENTS));
        }
        if (!(failure instanceof StoreUnavailableException)) {
            return false;
        }
        if (cause == null) { // A quorum without a majority: the nodes' own failures are attached.
            return Arrays.stream(failure.getSuppressed())
                    .allMatch(node -> isPassing(node) || node instanceof TimeoutException);
        }
        return cause instanceof RedisConnectionException;
    }

    /**
     * Returns whether the server executed nothing because it is not (yet) a serving master. The address may lead to another
     * server by now, so that a new connection may succeed at once.
     */
    public static boolean isNotServing(Throwable failure) {
        return failure.getCause() instanceof RedisErrorException error && error.isServerUnavailable();
    }

    /** Returns whether a cluster is moving the key from one server to another: the right server was reached, and will serve it in a moment. */
    public static boolean isMoving(Throwable failure) {
        return failure.getCause() instanceof RedisErrorException error
                && error.code().equals("TRYAGAIN");
    }

    /** Returns whether the server has executed the call, but too few of its replicas have acknowledged that. */
    public static boolean isUnacknowledged(Throwable failure) {
        return failure.getCause() instanceof UnacknowledgedException;
    }

    /** Returns whether a new connection may succeed at once: this one broke, or leads to a server that is not serving. */
    public static boolean isWorthRepeating(Throwable failure) {
        return Exceptions.isCut(failure) || isNotServing(failure);
    }

    /** Returns whether the server's access rules forbid the call. */
    public static boolean isForbidden(Throwable failure) {
        return failure instanceof StoreRefusedException refusal
                && refusal.code().equals("NOPERM");
    }

    /** Returns whether the server itself refused the call. */
    public static boolean isRefusal(Throwable failure) {
        return failure instanceof StoreRefusedException || failure instanceof WrongKindException;
    }

    /** Returns whether the store may have executed the call, or a part of it. Unforeseen failures count as unknown. */
    public static boolean isOutcomeUnknown(Throwable failure) {
        Throwable cause = Stages.unwrapped(failure);
        if (cause instanceof UnsupportedOperationException) {
            return false; // Refused before anything was sent.
        }
        if (isUnacknowledged(cause)) {
            return true;
        }
        if (isRefusal(cause)) {
            return cause.getCause() instanceof RedisErrorException error && mayBeHalfDone(error);
        }
        return !(cause instanceof StoreUnavailableException known) || known.outcomeUnknown();
    }

    /**
     * Returns whether a script may have written something before it failed. Scripts return errors that they meet before their first
     * write; one that was raised may have come after it, and then what was written has to be released.
     */
    private static boolean mayBeHalfDone(RedisErrorException refusal) {
        String words = String.valueOf(refusal.getMessage());
        return words.contains(RAISED_INSIDE)
                && !words.startsWith(RETURNED)
                && !refusal.isServerUnavailable()
                && !REFUSED_AS_A_WHOLE.contains(refusal.code());
    }
}
