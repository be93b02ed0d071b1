package io.keyhold;

import java.util.function.UnaryOperator;

/**
 * A lock that many readers or one writer hold. All stand in one line at the server, first come, first served: a writer is
 * not starved by readers who keep coming, nor readers by writers; readers who stand next to each other hold the lock
 * together. Safe for use by many threads.
 *
 * <p>A thread that holds the write lock gets the read lock at once, beside it, and may then release the write lock: that
 * is how to go on reading what was written ({@link #downgrade} does both in one call, for leases that belong to no
 * thread). The other way round would wait for itself, for ever if two threads did it: a thread that holds the read lock and
 * asks for the write lock gets {@link AlreadyHeldException}. Asynchronous requests belong to no thread, and are not
 * warned.
 *
 * <p>Both sides are locks in every respect. They share one row of fencing tokens, which grow from hold to hold.
 * {@link LockOptions.Builder#fairness} makes no difference here: the line is always {@link Fairness#STRICT}.
 */
public interface DistributedReadWriteLock {

    /** The key, without the client's prefix. */
    String key();

    /** The options of both sides. */
    LockOptions options();

    /** The same with some options changed. */
    DistributedReadWriteLock with(UnaryOperator<LockOptions.Builder> change);

    /** Held by many at a time, while nobody writes. */
    DistributedLock readLock();

    /** Held by one at a time, while nobody reads. */
    DistributedLock writeLock();

    /**
     * Turns a hold of the write lock into one of the read lock, with nobody in between.
     *
     * @param writeLease a lease of this lock's write side; it is released
     * @return a lease of the read side, which belongs to no thread
     * @throws LeaseLostException if the write lock is not held any more
     */
    Lease downgrade(Lease writeLease);
}
