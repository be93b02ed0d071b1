package io.keyhold.tests.contract.lock;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.LockOptions;
import java.util.List;

/** Holds {@link Keyhold#allOf} of two keys to the contracts of locks. Foreign clients change the second key. */
public interface OverLocksOfTwoKeys extends StoreUnderTest {

    @Override
    default DistributedLock lock(Keyhold keyhold, String key) {
        return keyhold.allOf(before(key), key);
    }

    @Override
    default DistributedLock lock(Keyhold keyhold, String key, LockOptions options) {
        return keyhold.allOf(List.of(key, before(key)), options);
    }

    private static String before(String key) {
        return "before:" + key;
    }
}
