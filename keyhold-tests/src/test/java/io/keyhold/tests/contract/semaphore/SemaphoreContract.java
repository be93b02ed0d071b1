package io.keyhold.tests.contract.semaphore;

/** What a semaphore does on every store, with or without a line at the server: single permits, never more than there are. */
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
