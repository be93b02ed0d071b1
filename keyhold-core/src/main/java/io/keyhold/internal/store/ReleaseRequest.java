package io.keyhold.internal.store;

import java.util.Optional;

/**
 * Gives up what somebody holds, and a place in its queue.
 *
 * @param claim what
 * @param token who held it, or waited for it
 * @param place where it may be waiting
 */
public record ReleaseRequest(Claim claim, String token, Optional<QueuePlace> place) {

    /** Of a token that does not wait. */
    public static ReleaseRequest of(Claim claim, String token) {
        return new ReleaseRequest(claim, token, Optional.empty());
    }
}
