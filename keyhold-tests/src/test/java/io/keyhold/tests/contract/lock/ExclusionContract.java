package io.keyhold.tests.contract.lock;

import io.keyhold.Fairness;
import io.keyhold.LockOptions;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Never two inside: several clients and threads, every kind of call, one counter that only the lock protects. */
public interface ExclusionContract extends StoreUnderTest {

    /** How a request waits. */
    enum Waiting {
        /** Asks again and again. */
        POLLING {
            @Override
            LockOptions.Builder options() {
                return LockOptions.builder().retryInterval(Duration.ofMillis(1));
            }
        },
        /** In line, one place for each client; on stores without a line, woken when the lock was given up. */
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
    default void neverTwoInside(Waiting waiting) throws Exception {
        Crowd.neverTwoInside(this, waiting.options());
    }
}
