package io.keyhold.tests.contract.lock;

/**
 * What every {@link io.keyhold.DistributedLock} on one server does, whatever it is on: a key, one side of a read/write lock, or
 * several keys at once. {@link StoreUnderTest#lock} says which.
 */
public interface AnyLockContract
        extends BasicLockContract, OwnTokenContract, EndlessLeaseContract, StrictExclusionContract {}
