package io.keyhold.benchmarks.shape;

import java.time.Duration;

/**
 * How much time is spent.
 *
 * @param rounds measured rounds of each contender
 * @param measured the length of a round
 * @param warmUp what runs before the first round, so that the compiler has done its work
 */
public record Effort(int rounds, Duration measured, Duration warmUp) {}
