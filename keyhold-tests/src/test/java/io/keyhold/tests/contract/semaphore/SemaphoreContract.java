package io.keyhold.tests.contract.semaphore;

/** What a semaphore does on every store, with or without a queue: single permits, never more than the limit. */
public interface SemaphoreContract
        extends PermitContract,
                PermitWaitContract,
                PermitLeaseContract,
                PermitReturnContract,
                PermitRestContract,
                PermitRaceContract,
                PermitInputContract,
                PermitKeyContract,
                LimitContract {}
