package io.keyhold.internal.engine;

import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * How long and how often a lock is asked for.
 *
 * @param maxWait how long; empty if for ever
 * @param maxAttempts how often
 * @param interval the pause between two attempts, if the caller chose one
 */
public record WaitPlan(Optional<Duration> maxWait, int maxAttempts, Optional<Duration> interval) {

    /** One attempt. */
    public static final WaitPlan NONE = new WaitPlan(Optional.of(Duration.ZERO), 1, Optional.empty());

    /** As the options say. */
    public static WaitPlan of(LockOptions options) {
        int attempts = options.retries().isPresent() ? options.retries().getAsInt() + 1 : Integer.MAX_VALUE;
        return new WaitPlan(options.maxWait(), attempts, options.retryInterval());
    }

    /** The same for this long instead. */
    public WaitPlan within(Duration wait) {
        return new WaitPlan(Optional.of(wait), maxAttempts, interval);
    }

    /** Whether to wait for a turn; if not, the lock is asked for once, or at intervals. */
    boolean queues() {
        return maxAttempts == Integer.MAX_VALUE && interval.isEmpty() && maxWaitNanos() > 0;
    }

    long maxWaitNanos() {
        return maxWait.map(Duration::toNanos).orElse(Long.MAX_VALUE);
    }
}
