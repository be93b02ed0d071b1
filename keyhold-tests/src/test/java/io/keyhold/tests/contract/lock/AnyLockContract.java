package io.keyhold.tests.contract.lock;

/**
 * What every {@link io.keyhold.DistributedLock} on one server does, on a key, on one side of a read/write lock, or on
 * several keys at once. {@link StoreUnderTest#lock} says which.
 */
public interface AnyLockContract
        extends BasicLockContract, OwnTokenContract, EndlessLeaseContract, StrictExclusionContract {}
