package io.keyhold.tests.stress;

import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** What the threads of a chaos run contend for. */
interface Contest {

    /** A limit for safety: in line, everybody gets on much sooner. Who does not has found a deadlock. */
    Duration GETS_ON_WITHIN = Duration.ofSeconds(60);

    /** One of the things, drawn by lot, to be held on these terms. */
    Contested draw(Duration lease, boolean renewed);

    /** Looks whether what the server has stored is in order, and tells of what is not. */
    default void inspect() {}

    /**
     * What one thread has to do with it.
     *
     * @param keyhold the client of its process
     * @param counter the thread's own
     * @param who its name
     */
    record Player(Keyhold keyhold, GuardedCounter counter, Random random, String who) {

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
