package io.keyhold.internal.store;

/**
 * Raises the fencing counters of a hold on a node of a quorum.
 *
 * @param claim what is held
 * @param token who holds it
 * @param number what the counters are to be at least
 */
public record RaiseRequest(Claim claim, String token, long number) {}
