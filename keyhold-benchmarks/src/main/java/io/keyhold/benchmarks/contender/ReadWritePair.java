package io.keyhold.benchmarks.contender;

/**
 * One thread's way to one read/write lock.
 *
 * @param read shared with other readers
 * @param write shared with nobody
 */
public record ReadWritePair(ContenderLock read, ContenderLock write) {}
