package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.ContenderLock;

/**
 * A way in.
 *
 * @param lock what is taken
 * @param weight how many of those who may be inside at once it counts for
 */
record Entrance(ContenderLock lock, int weight) {}
