package io.keyhold.tests.contract.lock;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.LockOptions;
import java.util.List;

/** Holds {@link Keyhold#allOf} of one key to the contracts of locks. */
public interface OverLocksOfOneKey extends StoreUnderTest {

    @Override
    default DistributedLock lock(Keyhold keyhold, String key) {
        return keyhold.allOf(key);
    }

    @Override
    default DistributedLock lock(Keyhold keyhold, String key, LockOptions options) {
        return keyhold.allOf(List.of(key), options);
    }
}
