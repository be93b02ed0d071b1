package io.keyhold.tests.contract.lock;

/** The whole contract of locks, for a test class of a store and of the driver below it. */
public interface LockContract extends AnyLockContract, ForeignContract, InspectContract, ElectionContract {}
