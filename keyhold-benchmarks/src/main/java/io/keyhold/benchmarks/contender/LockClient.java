package io.keyhold.benchmarks.contender;

import java.util.List;

/**
 * A client of one library, opened as its documentation recommends. A handle is for one thread, which acquires and releases in
 * turn. {@link Contender#offers} says which methods are supported.
 */
public interface LockClient extends AutoCloseable {

    /** Returns a handle on a lock, which is on a quorum if there are several servers. */
    default LockHandle lock(String key) {
        throw new UnsupportedOperationException("no lock");
    }

    /** Returns a handle on one permit of a semaphore with this many. */
    default LockHandle semaphore(String key, int permits) {
        throw new UnsupportedOperationException("no semaphore");
    }

    /** Returns handles on a read/write lock. */
    default ReadWriteHandles readWriteLock(String key) {
        throw new UnsupportedOperationException("no read/write lock");
    }

    /** Returns a handle on the locks of all these keys at once. */
    default LockHandle allOf(List<String> keys) {
        throw new UnsupportedOperationException("no several locks at once");
    }

    /** Acquires permits of a semaphore one by one, with a long lease that is not renewed, and keeps them. */
    default void occupy(String key, int permits, int taken) {
        throw new UnsupportedOperationException("no semaphore");
    }

    @Override
    void close();
}
