package io.keyhold.inspect;

/** What a key is in use as. */
public enum LockKind {
    /** {@link io.keyhold.DistributedLock}, be it alone or one of several that were taken together. */
    LOCK,
    /** {@link io.keyhold.DistributedSemaphore}. */
    SEMAPHORE,
    /** {@link io.keyhold.DistributedReadWriteLock}. */
    READ_WRITE
}
