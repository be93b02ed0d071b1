package io.keyhold.benchmarks.contender;

/** The library of a contender. */
public enum Family {
    /** The minimum cost of a lock: its two commands and nothing else. */
    FLOOR,
    /** Keyhold. */
    KEYHOLD,
    /** Redisson. */
    REDISSON,
    /** Spring Integration. */
    SPRING
}
