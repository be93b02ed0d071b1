package io.keyhold.tests.contract.lock;

import io.keyhold.Fairness;
import io.keyhold.LockOptions;
import org.junit.jupiter.api.Test;

/** Mutual exclusion in strict order, for stores that support it: a quorum does not. */
public interface StrictExclusionContract extends StoreUnderTest {

    @Test
    default void strictHoldsNeverOverlap() throws Exception {
        ExclusionWorkload.holdsNeverOverlap(this, LockOptions.builder().fairness(Fairness.STRICT));
    }
}
