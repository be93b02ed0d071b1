package io.keyhold.internal.engine.acquire;

import io.keyhold.HoldOptions;
import io.keyhold.KeyholdClock;
import io.keyhold.internal.time.ClockReading;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How long and how often to ask for a lock.
 *
 * @param maxWait how long; empty if without limit
 * @param maxAttempts how often
 * @param interval the pause between two attempts, if the user chose one
 */
public record WaitPlan(Optional<Duration> maxWait, int maxAttempts, Optional<Duration> interval) {

    /** One attempt. */
    public static final WaitPlan NONE = new WaitPlan(Optional.of(Duration.ZERO), 1, Optional.empty());

    /** Waits for ever. */
    public static final WaitPlan ENDLESS = new WaitPlan(Optional.empty(), Integer.MAX_VALUE, Optional.empty());

    /** Returns the plan of these options. */
    public static WaitPlan of(HoldOptions options) {
        int attempts = options.retries().isPresent() ? options.retries().getAsInt() + 1 : Integer.MAX_VALUE;
        return new WaitPlan(options.maxWait(), attempts, options.retryInterval());
    }

    /** Returns this plan with another {@code maxWait}. */
    public WaitPlan within(Duration wait) {
        return new WaitPlan(Optional.of(wait), maxAttempts, interval);
    }

    /** Returns whether to go on after the first attempt. */
    public boolean waits() {
        return maxAttempts > 1 && maxWaitNanos() > 0;
    }

    /** Returns whether to wait in a queue. If not, the lock is asked for once, or at intervals. */
    boolean queues() {
        return maxAttempts == Integer.MAX_VALUE && interval.isEmpty() && maxWaitNanos() > 0;
    }

    long maxWaitNanos() {
        return maxWait.isPresent() ? maxWait.get().toNanos() : Long.MAX_VALUE; // Not map, which would box it each time.
    }

    /** The time limit of a wait, which begins now. */
    static final class Deadline {

        private final WaitPlan plan;
        private final KeyholdClock clock;
        private final ClockReading started;

        Deadline(WaitPlan plan, KeyholdClock clock) {
            this.plan = plan;
            this.clock = clock;
            this.started = ClockReading.now(clock);
        }

        /** Returns when the wait began. */
        ClockReading started() {
            return started;
        }

        /** Returns how long it has lasted, in whole milliseconds. */
        Duration waited() {
            return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(started.nanosSince(clock)));
        }

        /** Returns what is left; not positive if the deadline is over. */
        long leftNanos() {
            // A clock that steps back may make the time waited negative.
            return plan.maxWaitNanos() - Math.max(0, started.nanosSince(clock));
        }

        boolean isOver() {
            return leftNanos() <= 0;
        }
    }
}
