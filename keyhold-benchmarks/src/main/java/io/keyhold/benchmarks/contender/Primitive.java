package io.keyhold.benchmarks.contender;

/** What is taken and released. */
public enum Primitive {
    /** One holder at a time. */
    LOCK,
    /** So many holders at a time. */
    SEMAPHORE,
    /** Many readers, or one writer. */
    READ_WRITE,
    /** Several locks at once. */
    ALL_OF,
    /** One holder at a time, on several servers that know nothing of each other. */
    QUORUM_LOCK
}
