package io.keyhold.tests.stress;

import java.time.Duration;

/** How long and how hard it storms. The same seed gives the same plan; what the machine makes of it differs. */
record StormSettings(StormKind kind, Duration length, long seed) {

    /** No hold of the storm is longer than this without a renewal. */
    static final Duration LONGEST_LEASE = Duration.ofMillis(1500);

    static final int THREADS_PER_WORKER = 4;

    /** Up to here it is a storm among other tests, and those that are not of plain locks take a third of the time. */
    private static final long SHORT_SECONDS = 60;

    /** From the system properties {@code keyhold.stress.seconds} and {@code keyhold.stress.seed}. */
    static StormSettings fromProperties(StormKind kind) {
        long seconds = Long.getLong("keyhold.stress.seconds", 18);
        boolean brief = kind != StormKind.LOCKS && seconds <= SHORT_SECONDS;
        return new StormSettings(
                kind,
                Duration.ofSeconds(brief ? seconds / 3 : seconds),
                Long.getLong("keyhold.stress.seed", System.nanoTime()));
    }
}
