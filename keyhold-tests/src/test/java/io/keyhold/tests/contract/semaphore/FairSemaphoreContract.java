package io.keyhold.tests.contract.semaphore;

/** What a semaphore does beside {@link SemaphoreContract} on a store that has a line: requests for several permits, and order. */
public interface FairSemaphoreContract
        extends WeightContract, LineContract, LineWithdrawalContract, ResizeContract, PermitInspectContract {}
