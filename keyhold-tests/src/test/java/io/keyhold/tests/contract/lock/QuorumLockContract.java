package io.keyhold.tests.contract.lock;

/**
 * The contract of locks on a quorum: the basic contract, and local hand-over. A quorum refuses the rest (tokens of the caller,
 * leases without end, strict order), or differs: its nodes do not hand over a lock.
 */
public interface QuorumLockContract
        extends BasicLockContract, ForeignContract, InspectContract, LocalHandOverContract, ElectionContract {}
