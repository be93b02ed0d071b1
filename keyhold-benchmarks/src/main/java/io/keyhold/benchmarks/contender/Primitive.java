package io.keyhold.benchmarks.contender;

/** What is acquired and released. */
public enum Primitive {
    /** One holder at a time. */
    LOCK,
    /** A limited number of holders at a time. */
    SEMAPHORE,
    /** Many readers, or one writer. */
    READ_WRITE,
    /** Several locks at once. */
    ALL_OF,
    /** One holder at a time, on several independent servers. */
    QUORUM_LOCK,
    /** One holder at a time, on a master with two replicas. */
    REPLICATED_LOCK
}
