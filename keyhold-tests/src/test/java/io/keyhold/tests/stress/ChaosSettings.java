package io.keyhold.tests.stress;

import java.time.Duration;

/** How long a chaos run takes, and its seed. The same seed gives the same plan; what the machine makes of it differs. */
record ChaosSettings(ChaosKind kind, Duration length, long seed) {

    /** No hold is longer than this without a renewal. */
    static final Duration LONGEST_LEASE = Duration.ofMillis(1500);

    static final int THREADS_PER_WORKER = 4;

    /** Up to this length it runs among other tests, and runs that are not of plain locks take a third of the time. */
    private static final long SHORT_SECONDS = 60;

    /** From the system properties {@code keyhold.chaos.seconds} and {@code keyhold.chaos.seed}. */
    static ChaosSettings fromProperties(ChaosKind kind) {
        long seconds = Long.getLong("keyhold.chaos.seconds", 18);
        boolean brief = kind != ChaosKind.LOCKS && seconds <= SHORT_SECONDS;
        return new ChaosSettings(
                kind,
                Duration.ofSeconds(brief ? seconds / 3 : seconds),
                Long.getLong("keyhold.chaos.seed", System.nanoTime()));
    }
}
