package io.keyhold.benchmarks.contender;

import java.util.concurrent.locks.Lock;

/** One thread's way to one lock. */
public interface ContenderLock {

    /** Waits for the lock, however long that takes. */
    void acquire() throws InterruptedException;

    /** Gives it back. */
    void release();

    /** Whether an interrupt ends the wait and leaves nothing behind; one that cannot is left to wait for its turn. */
    default boolean heedsInterrupts() {
        return true;
    }

    /** Of a library whose locks are Java's. */
    static ContenderLock of(Lock lock) {
        return new ContenderLock() {
            @Override
            public void acquire() throws InterruptedException {
                lock.lockInterruptibly();
            }

            @Override
            public void release() {
                lock.unlock();
            }
        };
    }
}
