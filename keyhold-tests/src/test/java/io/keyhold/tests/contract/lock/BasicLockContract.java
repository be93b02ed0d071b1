package io.keyhold.tests.contract.lock;

/**
 * What every {@link io.keyhold.DistributedLock} does on every store, a quorum included. {@link AnyLockContract} adds what a
 * quorum refuses.
 */
public interface BasicLockContract
        extends AcquireContract,
                ReleaseContract,
                RestContract,
                LeaseContract,
                WaitContract,
                TokenContract,
                ThreadOwnedContract,
                ExclusionContract,
                ClientCloseContract,
                ListenerContract {}
