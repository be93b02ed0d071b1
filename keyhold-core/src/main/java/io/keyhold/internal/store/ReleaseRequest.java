package io.keyhold.internal.store;

import java.util.Optional;

/**
 * Gives up a lock, and a place in its queue.
 *
 * @param key the lock's stored key
 * @param token who held it, or waited for it
 * @param place where it may be waiting
 */
public record ReleaseRequest(String key, String token, Optional<QueuePlace> place) {

    /** Of a token that does not wait. */
    public static ReleaseRequest of(String key, String token) {
        return new ReleaseRequest(key, token, Optional.empty());
    }
}
