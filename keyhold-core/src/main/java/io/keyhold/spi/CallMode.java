package io.keyhold.spi;

/** Which thread waits for the reply of a call. */
public enum CallMode {
    /**
     * The calling thread waits for the reply inside the call. A driver with blocking input and
     * output does its work on this thread and returns a completed stage: no hop to another thread and back, which is
     * most of the cost of a lock on a fast network.
     */
    BLOCKING,
    /** The calling thread must not be held up: the driver returns at once and completes the stage later. */
    ASYNCHRONOUS
}
