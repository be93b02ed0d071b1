package io.keyhold.tests.stress;

import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Chooses what the threads of a chaos run acquire. */
interface ChaosWorkload {

    /** A safety limit: a queued request is served much sooner. A request that is not has found a deadlock. */
    Duration WAIT_LIMIT = Duration.ofSeconds(60);

    /** Returns a random resource, to be held with this lease. */
    ContendedResource draw(Duration lease, boolean renewed);

    /** Checks the data on the server, and reports what is inconsistent. */
    default void inspect() {}

    /**
     * What one thread works with.
     *
     * @param keyhold the client of its process
     * @param counter of this thread
     * @param who its name
     */
    record WorkerContext(Keyhold keyhold, GuardedCounter counter, Random random, String who) {

        String anyKey(ChaosKind kind) {
            List<String> keys = kind.keys();
            return keys.get(random.nextInt(keys.size()));
        }

        LockOptions.Builder terms(Duration lease, boolean renewed) {
            return LockOptions.builder()
                    .lease(lease)
                    .renew(renewed)
                    .fairness(random.nextBoolean() ? Fairness.BATCHED : Fairness.STRICT);
        }
    }
}
