package io.keyhold.tests.contract.lock;

import io.keyhold.Fairness;
import io.keyhold.LockOptions;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mutual exclusion: several clients and threads, every kind of call, one counter that only the lock protects. */
public interface ExclusionContract extends StoreUnderTest {

    /** How a request waits. */
    enum Waiting {
        /** By polling. */
        POLLING {
            @Override
            LockOptions.Builder options() {
                return LockOptions.builder().retryInterval(Duration.ofMillis(1));
            }
        },
        /** In the queue, with one entry for each client; on stores without a queue, woken by releases. */
        BATCHED {
            @Override
            LockOptions.Builder options() {
                return LockOptions.builder().fairness(Fairness.BATCHED);
            }
        };

        abstract LockOptions.Builder options();
    }

    @ParameterizedTest
    @EnumSource(Waiting.class)
    default void holdsNeverOverlap(Waiting waiting) throws Exception {
        ExclusionWorkload.holdsNeverOverlap(this, waiting.options());
    }
}
