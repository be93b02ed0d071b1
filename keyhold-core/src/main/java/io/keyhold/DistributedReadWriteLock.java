package io.keyhold;

import java.util.function.UnaryOperator;

/**
 * A lock that many readers or one writer hold. All wait in one queue at the server, first come, first served: readers that keep
 * coming do not starve a writer, nor writers the readers; readers that are next to each other in the queue hold the lock
 * together. Safe for use by many threads.
 *
 * <pre>{@code
 * DistributedReadWriteLock lock = keyhold.readWriteLock("catalogue");
 *
 * lock.readLock().run(() -> show(catalogue));
 *
 * Lease write = lock.writeLock().acquire();
 * replace(catalogue);
 * try (Lease read = lock.downgrade(write)) {                   // no other writer in between
 *     publish(catalogue);
 * }
 * }</pre>
 *
 * <p>A thread that holds the write lock gets the read lock at once, beside it, and may then release the write lock: that
 * is how to go on reading what was written ({@link #downgrade} does both in one call, for leases that belong to no
 * thread). The reverse would deadlock: a thread that holds the read lock and waits for the write lock gets
 * {@link AlreadyHeldException}, and one that does not wait gets empty. Asynchronous requests belong to no thread, and are not
 * warned.
 *
 * <p>Both sides are locks in every respect. They share one sequence of fencing tokens, which grow from hold to hold.
 * {@link LockOptions.Builder#fairness} makes no difference here: the queue is always {@link Fairness#STRICT}.
 */
public interface DistributedReadWriteLock {

    /**
     * Returns the key.
     *
     * @return the key, without the client's prefix
     */
    String key();

    /**
     * Returns the options of both sides.
     *
     * @return the options
     */
    LockOptions options();

    /**
     * Returns the same lock with some options changed, for both sides.
     *
     * @param change sets what differs
     * @return another object for the same lock
     */
    DistributedReadWriteLock with(UnaryOperator<LockOptions.Builder> change);

    /**
     * Returns the side that many may hold at a time, while no writer does.
     *
     * @return the read lock
     */
    DistributedLock readLock();

    /**
     * Returns the side that one holds at a time, while no reader does.
     *
     * @return the write lock
     */
    DistributedLock writeLock();

    /**
     * Turns a hold of the write lock into one of the read lock, with no other writer in between.
     *
     * @param writeLease a lease that this client got from {@link #writeLock()} of this key; it is released
     * @return a lease of the read side, which belongs to no thread
     * @throws LeaseLostException if the write lock is no longer held
     * @throws IllegalArgumentException if it is not such a lease: one of the read side, of another key or of another client, or an
     *     object that wraps one
     */
    Lease downgrade(Lease writeLease);
}
