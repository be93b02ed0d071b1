package io.keyhold.internal.store.quorum;

import java.util.concurrent.atomic.LongAdder;

/** Counts how many fencing tokens took one round, and how many took two. */
final class FencingRoundStats {

    private final LongAdder one = new LongAdder();
    private final LongAdder two = new LongAdder();

    void oneRound() {
        one.increment();
    }

    void twoRounds() {
        two.increment();
    }

    long inOneRound() {
        return one.sum();
    }

    long inTwoRounds() {
        return two.sum();
    }
}
