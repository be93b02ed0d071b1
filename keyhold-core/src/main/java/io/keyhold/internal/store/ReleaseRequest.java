package io.keyhold.internal.store;

import java.util.Optional;

/**
 * Ends a hold, and leaves a queue.
 *
 * @param claim what
 * @param token the token that holds it, or waits for it
 * @param place where it may be waiting
 */
public record ReleaseRequest(Claim claim, String token, Optional<QueuePlace> place) {

    /** Creates the request for a token that does not wait. */
    public static ReleaseRequest of(Claim claim, String token) {
        return new ReleaseRequest(claim, token, Optional.empty());
    }
}
