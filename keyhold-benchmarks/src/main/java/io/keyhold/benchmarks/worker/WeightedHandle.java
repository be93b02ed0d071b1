package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.LockHandle;

/**
 * A lock with the share of its capacity that a holder uses.
 *
 * @param lock the lock
 * @param weight the share: a writer uses the whole capacity
 */
record WeightedHandle(LockHandle lock, int weight) {}
