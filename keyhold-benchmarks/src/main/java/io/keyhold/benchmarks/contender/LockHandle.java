package io.keyhold.benchmarks.contender;

import java.util.concurrent.locks.Lock;

/** One thread's handle on one lock. */
public interface LockHandle {

    /** Acquires the lock, waiting indefinitely. */
    void acquire() throws InterruptedException;

    /** Releases it. */
    void release();

    /** Returns whether an interrupt ends the wait and leaves nothing behind. */
    default boolean isInterruptible() {
        return true;
    }

    /** Returns the handle on a Java lock. */
    static LockHandle of(Lock lock) {
        return new LockHandle() {
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
