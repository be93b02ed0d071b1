package io.keyhold.spring;

/** What a call does if its lock or permits are not granted in time. */
public enum OnBusy {
    /** Throws {@link io.keyhold.AcquireTimeoutException}, which names the holder. */
    THROW,
    /** Returns null without running the method; an empty {@code Optional}, {@code Mono}, {@code Flux}, or a completed stage of null. Not for primitive results. */
    SKIP,
    /** Runs the method that {@code fallback} names instead. */
    FALLBACK
}
