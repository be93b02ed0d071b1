package io.keyhold.benchmarks.worker;

import java.util.concurrent.atomic.AtomicInteger;

/** What a lock guards in this JVM, and the proof that it does: nobody else is inside, and no count gets lost. */
final class Guard {
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger intrusions = new AtomicInteger();
    // Neither volatile nor atomic, on purpose: two threads inside at once would lose counts.
    private long entries;

    void enter() {
        if (inside.incrementAndGet() != 1) {
            intrusions.incrementAndGet();
        }
        entries++;
    }

    void leave() {
        inside.decrementAndGet();
    }

    /** Call when all threads have ended. */
    long violations(long expectedEntries) {
        return intrusions.get() + Math.abs(expectedEntries - entries);
    }
}
