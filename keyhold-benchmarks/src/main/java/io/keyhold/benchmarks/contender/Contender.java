package io.keyhold.benchmarks.contender;

import java.util.List;

/**
 * A client of one lock library, opened as its documentation tells an ordinary user to. A handle is for one thread, which
 * acquires and releases in turn. {@link Entrant#offers} says which of them there are.
 */
public interface Contender extends AutoCloseable {

    /** A handle on a lock, which is on a quorum if there are several servers. */
    default ContenderLock lock(String key) {
        throw new UnsupportedOperationException("it has no lock");
    }

    /** A handle on one permit of a semaphore with so many. */
    default ContenderLock semaphore(String key, int permits) {
        throw new UnsupportedOperationException("it has no semaphore");
    }

    /** A handle on a read/write lock. */
    default ReadWritePair readWriteLock(String key) {
        throw new UnsupportedOperationException("it has no read/write lock");
    }

    /** A handle on the locks of all these keys at once. */
    default ContenderLock allOf(List<String> keys) {
        throw new UnsupportedOperationException("it cannot take several locks at once");
    }

    /** Takes some of a semaphore's permits, each by itself and with a long lease that nobody renews, and keeps them. */
    default void occupy(String key, int permits, int taken) {
        throw new UnsupportedOperationException("it has no semaphore");
    }

    @Override
    void close();
}
