package io.keyhold.inspect;

/** How something is held, or waited for. */
public enum LockMode {
    /** By one alone: a lock, or the write side of a read/write lock. */
    EXCLUSIVE,
    /** Beside others: permits of a semaphore, or the read side of a read/write lock. */
    SHARED
}
