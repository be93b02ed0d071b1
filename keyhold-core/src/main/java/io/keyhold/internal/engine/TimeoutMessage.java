package io.keyhold.internal.engine;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.Claim;
import java.time.Duration;

/** What to tell a user who wanted a lock and did not get it in time: what was waited for, for how long, and who has it. */
final class TimeoutMessage {

    private static final int LONGEST_HOLDER = 200;

    private TimeoutMessage() {}

    static AcquireTimeoutException of(Ask ask, long waitedNanos, int attempts, AcquireReply.Busy answer) {
        Duration waited = Duration.ofMillis(Duration.ofNanos(waitedNanos).toMillis());
        String times = attempts == 1 ? "1 attempt" : attempts + " attempts";
        String holder = answer.holder()
                .map(value -> heldBy(ask.subject().claim()) + Formats.cut(value, LONGEST_HOLDER))
                .orElse("not granted in time");
        String end = answer.remainingMillis().isPresent()
                ? ", whose lease ends in "
                        + Formats.duration(
                                Duration.ofMillis(answer.remainingMillis().getAsLong()))
                        + " unless it is renewed"
                : "";
        return new AcquireTimeoutException(
                ask.subject() + " was not acquired within " + Formats.duration(waited) + " and " + times + ": " + holder
                        + end
                        + answer.detail().map(more -> " (" + more + ")").orElse(""),
                attempts);
    }

    /** For a request that the client itself has held back until its deadline: of the lock nothing is known. */
    static StoreUnavailableException notSent(Ask ask) {
        return new StoreUnavailableException(
                "cannot acquire " + ask.subject() + ": its deadline ended before the request was sent, because too many"
                        + " requests of this client are in flight",
                false,
                null);
    }

    private static String heldBy(Claim claim) {
        return claim instanceof Claim.Permits ? "not enough is free, and what ends first is held by " : "held by ";
    }
}
