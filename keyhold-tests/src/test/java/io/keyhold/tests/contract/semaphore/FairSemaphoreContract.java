package io.keyhold.tests.contract.semaphore;

/** What a semaphore does in addition to {@link SemaphoreContract} on a store with a queue: several permits in a request, and order. */
public interface FairSemaphoreContract
        extends WeightContract, PermitQueueContract, PermitWithdrawalContract, ResizeContract, PermitInspectContract {}
