package io.keyhold.internal.engine;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.time.ClockReading;

/** How long a request waits yet: as long as its plan says, in each of its rounds. */
final class Patience {

    private final WaitPlan plan;
    private final KeyholdClock clock;
    private final ClockReading started;
    private int round = 1;

    Patience(WaitPlan plan, KeyholdClock clock) {
        this.plan = plan;
        this.clock = clock;
        this.started = ClockReading.now(clock);
    }

    /** What is left of this round. */
    long leftNanos() {
        return plan.waitNanos(round) - waitedNanos();
    }

    long waitedNanos() {
        return started.nanosSince(clock);
    }

    /** Whether nothing is left. Begins the next round if there is one. */
    boolean isSpent() {
        while (leftNanos() <= 0 && round < plan.rounds().orElse(1)) {
            round++;
        }
        return leftNanos() <= 0;
    }

    /** How many attempts that makes, for a request that asked the store so many times. */
    int attempts(int asked) {
        return plan.rounds().isPresent() ? round : Math.max(asked, 1);
    }
}
