package io.keyhold.tests.contract.lock;

/** The whole contract of locks. Implement it in a test class to hold a store, and the driver below it, to all of it. */
public interface LockContract extends AnyLockContract, ForeignContract, InspectContract, ElectionContract {}
