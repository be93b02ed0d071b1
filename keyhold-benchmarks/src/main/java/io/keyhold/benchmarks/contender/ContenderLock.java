package io.keyhold.benchmarks.contender;

/** One thread's way to one lock. */
public interface ContenderLock {

    /** Waits for the lock, however long that takes. */
    void acquire() throws InterruptedException;

    /** Gives it back. */
    void release();
}
