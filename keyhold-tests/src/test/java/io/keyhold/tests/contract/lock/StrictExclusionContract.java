package io.keyhold.tests.contract.lock;

import io.keyhold.Fairness;
import io.keyhold.LockOptions;
import org.junit.jupiter.api.Test;

/** Never two inside, on stores that serve strictly in order: a quorum does not. */
public interface StrictExclusionContract extends StoreUnderTest {

    @Test
    default void neverTwoInsideInStrictOrder() throws Exception {
        Crowd.neverTwoInside(this, LockOptions.builder().fairness(Fairness.STRICT));
    }
}
