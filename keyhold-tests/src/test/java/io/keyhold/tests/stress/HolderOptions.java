package io.keyhold.tests.stress;

import io.keyhold.Fairness;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import java.time.Duration;

/**
 * The options of a {@link HolderProgram}, in a form that fits into one argument.
 *
 * @param permits of the semaphore; 0 for a lock
 */
record HolderOptions(Fairness fairness, int maxLocalHandOvers, Duration maxLocalTime, Duration lease, int permits) {

    /** Far longer than any of these tests may take: a test that has to wait for a lease to end fails by its timeout. */
    static final Duration LEASE = Duration.ofMinutes(5);

    static final HolderOptions STRICT = lock(Fairness.STRICT, 0, Duration.ZERO);
    static final HolderOptions BATCHED =
            lock(Fairness.BATCHED, LockOptions.DEFAULT_MAX_LOCAL_HAND_OVERS, LockOptions.DEFAULT_MAX_LOCAL_TIME);

    static HolderOptions lock(Fairness fairness, int maxLocalHandOvers, Duration maxLocalTime) {
        return new HolderOptions(fairness, maxLocalHandOvers, maxLocalTime, LEASE, 0);
    }

    static HolderOptions semaphore(int permits, Duration lease) {
        return new HolderOptions(Fairness.STRICT, 0, Duration.ZERO, lease, permits);
    }

    static HolderOptions read(String text) {
        String[] parts = text.split(",", -1);
        return new HolderOptions(
                Fairness.valueOf(parts[0]),
                Integer.parseInt(parts[1]),
                Duration.parse(parts[2]),
                Duration.parse(parts[3]),
                Integer.parseInt(parts[4]));
    }

    String written() {
        return fairness + "," + maxLocalHandOvers + "," + maxLocalTime + "," + lease + "," + permits;
    }

    LockOptions options() {
        return LockOptions.builder()
                .lease(lease)
                .renew(true)
                .fairness(fairness)
                .maxLocalHandOvers(maxLocalHandOvers)
                .maxLocalTime(maxLocalTime)
                .build();
    }

    SemaphoreOptions semaphoreOptions() {
        return SemaphoreOptions.builder()
                .permits(permits)
                .lease(lease)
                .renew(true)
                .build();
    }
}
