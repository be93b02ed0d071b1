package io.keyhold.tests.contract.lock;

/** The whole contract of read/write locks; that both sides are locks is what {@link AnyLockContract} is for. */
public interface ReadWriteLockContract
        extends ReadWriteContract, ReadWriteLineContract, ReadWriteThreadContract, ReadWriteInspectContract {}
