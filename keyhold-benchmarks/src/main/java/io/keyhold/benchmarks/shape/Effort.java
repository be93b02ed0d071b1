package io.keyhold.benchmarks.shape;

import java.time.Duration;

/**
 * How long is measured.
 *
 * @param rounds measured rounds of each contender
 * @param measured the length of a round
 * @param warmUp the time before the first round, in which the JVM compiles
 */
public record Effort(int rounds, Duration measured, Duration warmUp) {}
