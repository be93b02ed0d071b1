package io.keyhold.tests.contract.lock;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.LockOptions;

/** Holds the write side of read/write locks to the contracts of locks. */
public interface OverWriteLocks extends StoreUnderTest {

    @Override
    default DistributedLock lock(Keyhold keyhold, String key) {
        return keyhold.readWriteLock(key).writeLock();
    }

    @Override
    default DistributedLock lock(Keyhold keyhold, String key, LockOptions options) {
        return keyhold.readWriteLock(key, options).writeLock();
    }
}
