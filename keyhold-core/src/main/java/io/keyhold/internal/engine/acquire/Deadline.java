package io.keyhold.internal.engine.acquire;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.time.ClockReading;

/** The time limit of a wait, which may have several rounds (see {@link WaitPlan#rounds}). */
final class Deadline {

    private final WaitPlan plan;
    private final KeyholdClock clock;
    private final ClockReading started;

    Deadline(WaitPlan plan, KeyholdClock clock) {
        this.plan = plan;
        this.clock = clock;
        this.started = ClockReading.now(clock);
    }

    long waitedNanos() {
        return started.nanosSince(clock);
    }

    /** Returns what is left of the current round; not positive if the deadline is over. */
    long leftNanos() {
        long waited = waitedNanos();
        return plan.waitNanos(round(waited)) - waited;
    }

    boolean isOver() {
        return leftNanos() <= 0;
    }

    /** Returns how many attempts that makes, for a request that asked the store this often. */
    int attempts(int asked) {
        return plan.rounds().isPresent() ? round(waitedNanos()) : Math.max(asked, 1);
    }

    private int round(long waitedNanos) {
        int rounds = plan.rounds().orElse(1);
        long roundNanos = plan.maxWaitNanos();
        // A clock that steps back may make the time waited negative.
        return waitedNanos <= 0 || roundNanos == 0
                ? (roundNanos == 0 ? rounds : 1)
                : (int) Math.min(rounds, 1 + waitedNanos / roundNanos);
    }
}
