package io.keyhold.tests.contract.lock;

/** The whole contract of read/write locks; {@link AnyLockContract} covers that each side is a lock. */
public interface ReadWriteLockContract
        extends ReadWriteContract, ReadWriteQueueContract, ReadWriteThreadContract, ReadWriteInspectContract {}
