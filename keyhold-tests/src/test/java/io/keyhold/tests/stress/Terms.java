package io.keyhold.tests.stress;

import io.keyhold.Fairness;
import io.keyhold.LockOptions;
import java.time.Duration;

/** The options that a {@link LockProgram} gets, in a form that fits into one argument. */
record Terms(Fairness fairness, int maxLocalPasses, Duration maxLocalTime) {

    /** Far longer than any of these tests may take: whoever had to wait for a lease to end fails by its timeout. */
    static final Duration LEASE = Duration.ofMinutes(5);

    static final Terms STRICT = new Terms(Fairness.STRICT, 0, Duration.ZERO);
    static final Terms BATCHED =
            new Terms(Fairness.BATCHED, LockOptions.DEFAULT_MAX_LOCAL_PASSES, LockOptions.DEFAULT_MAX_LOCAL_TIME);

    static Terms read(String text) {
        String[] parts = text.split(",", -1);
        return new Terms(Fairness.valueOf(parts[0]), Integer.parseInt(parts[1]), Duration.parse(parts[2]));
    }

    String written() {
        return fairness + "," + maxLocalPasses + "," + maxLocalTime;
    }

    LockOptions options() {
        return LockOptions.builder()
                .lease(LEASE)
                .renew(true)
                .fairness(fairness)
                .maxLocalPasses(maxLocalPasses)
                .maxLocalTime(maxLocalTime)
                .build();
    }
}
