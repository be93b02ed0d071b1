package io.keyhold.benchmarks.contender;

/**
 * One thread's handles on one read/write lock.
 *
 * @param read shared with other readers
 * @param write exclusive
 */
public record ReadWriteHandles(LockHandle read, LockHandle write) {}
