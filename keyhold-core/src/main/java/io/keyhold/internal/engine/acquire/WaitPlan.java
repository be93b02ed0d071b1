package io.keyhold.internal.engine.acquire;

import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How long and how often to ask for a lock.
 *
 * @param maxWait how long; empty if without limit
 * @param maxAttempts how often
 * @param interval the pause between two attempts, if the user chose one
 * @param rounds how many times the whole of {@code maxWait} is waited, if the user counts attempts that way
 */
public record WaitPlan(Optional<Duration> maxWait, int maxAttempts, Optional<Duration> interval, OptionalInt rounds) {

    /** One attempt. */
    public static final WaitPlan NONE =
            new WaitPlan(Optional.of(Duration.ZERO), 1, Optional.empty(), OptionalInt.empty());

    /** Returns the plan of these options. */
    public static WaitPlan of(LockOptions options) {
        int attempts = options.retries().isPresent() ? options.retries().getAsInt() + 1 : Integer.MAX_VALUE;
        return new WaitPlan(options.maxWait(), attempts, options.retryInterval(), OptionalInt.empty());
    }

    /** Returns the plan of these options. */
    public static WaitPlan of(SemaphoreOptions options) {
        return new WaitPlan(options.maxWait(), Integer.MAX_VALUE, Optional.empty(), OptionalInt.of(options.attempts()));
    }

    /** Returns this plan with another {@code maxWait}. */
    public WaitPlan within(Duration wait) {
        return new WaitPlan(Optional.of(wait), maxAttempts, interval, rounds);
    }

    /** Returns whether to wait in a queue. If not, the lock is asked for once, or at intervals. */
    boolean queues() {
        return maxAttempts == Integer.MAX_VALUE && interval.isEmpty() && maxWaitNanos() > 0;
    }

    long maxWaitNanos() {
        return maxWait.map(Duration::toNanos).orElse(Long.MAX_VALUE);
    }

    /** Returns how long this many rounds take. */
    long waitNanos(int howMany) {
        long round = maxWaitNanos();
        return round > Long.MAX_VALUE / howMany ? Long.MAX_VALUE : round * howMany;
    }
}
