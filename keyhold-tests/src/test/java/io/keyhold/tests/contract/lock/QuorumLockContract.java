package io.keyhold.tests.contract.lock;

/**
 * The contract of locks on a quorum: all that locks do anywhere, and passing on within a client. What is not in it is refused there
 * (tokens of the caller's own, leases without end, strict order), or differs (nobody is handed a lock).
 */
public interface QuorumLockContract
        extends BasicLockContract, ForeignContract, InspectContract, LocalPassContract, ElectionContract {}
