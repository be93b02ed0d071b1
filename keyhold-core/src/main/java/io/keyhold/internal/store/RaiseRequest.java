package io.keyhold.internal.store;

/**
 * Raises the fencing counters of a hold on a node of a quorum.
 *
 * @param claim what is held
 * @param token the token that holds it
 * @param number the least value of the counters from now on
 */
public record RaiseRequest(Claim claim, String token, long number) {}
