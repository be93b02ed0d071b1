package io.keyhold.internal.store.quorum;

import java.util.concurrent.atomic.LongAdder;

/** How often one round was enough for a fencing token, and how often it took two. */
final class RoundCount {

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
