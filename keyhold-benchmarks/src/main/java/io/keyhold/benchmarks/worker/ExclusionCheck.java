package io.keyhold.benchmarks.worker;

import java.util.concurrent.atomic.AtomicInteger;

/** Checks mutual exclusion inside this JVM: the holders never exceed the capacity, and no exclusive hold's increment gets lost. */
final class ExclusionCheck {
    private final int capacity;
    private final AtomicInteger used = new AtomicInteger();
    private final AtomicInteger excesses = new AtomicInteger();
    // Neither volatile nor atomic, on purpose: two exclusive holders at once would lose increments.
    private long exclusiveHolds;

    ExclusionCheck(int capacity) {
        this.capacity = capacity;
    }

    /** Begins a hold. An exclusive one has the whole capacity as its weight. */
    void begin(int weight) {
        if (used.addAndGet(weight) > capacity) {
            excesses.incrementAndGet();
        }
        if (isExclusive(weight)) {
            exclusiveHolds++;
        }
    }

    void end(int weight) {
        used.addAndGet(-weight);
    }

    boolean isExclusive(int weight) {
        return weight == capacity;
    }

    /** Returns the number of violations, after all threads have ended. */
    long violations(long expectedExclusiveHolds) {
        return excesses.get() + Math.abs(expectedExclusiveHolds - exclusiveHolds);
    }
}
