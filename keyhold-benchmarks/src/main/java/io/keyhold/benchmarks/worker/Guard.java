package io.keyhold.benchmarks.worker;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What is guarded in this JVM, and the proof that it is: not more are inside than may be, and of those who are alone no count
 * gets lost.
 */
final class Guard {
    private final int capacity;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger intrusions = new AtomicInteger();
    // Neither volatile nor atomic, on purpose: two threads inside at once would lose counts.
    private long entriesAlone;

    Guard(int capacity) {
        this.capacity = capacity;
    }

    /** With the weight of all who may be inside, for whoever has to be alone. */
    void enter(int weight) {
        if (inside.addAndGet(weight) > capacity) {
            intrusions.incrementAndGet();
        }
        if (isAlone(weight)) {
            entriesAlone++;
        }
    }

    void leave(int weight) {
        inside.addAndGet(-weight);
    }

    boolean isAlone(int weight) {
        return weight == capacity;
    }

    /** Call when all threads have ended. */
    long violations(long expectedEntriesAlone) {
        return intrusions.get() + Math.abs(expectedEntriesAlone - entriesAlone);
    }
}
