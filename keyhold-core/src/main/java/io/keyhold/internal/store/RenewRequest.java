package io.keyhold.internal.store;

import java.util.List;

/**
 * Asks for more time.
 *
 * @param claim for what
 * @param token the token that holds it
 * @param leaseMillis how long the hold lasts at least, from now; with {@link AcquireRequest#NO_EXPIRY} only whether it
 *     is still held is asked
 */
public record RenewRequest(Claim claim, String token, long leaseMillis) {

    /** Returns a request for each key. */
    List<RenewRequest> byKey() {
        return claim instanceof Claim.Locks several
                ? several.keys().stream()
                        .map(key -> new RenewRequest(new Claim.Lock(key), token, leaseMillis))
                        .toList()
                : List.of(this);
    }

    /** Asks only whether the token still holds it. */
    public static RenewRequest question(Claim claim, String token) {
        return new RenewRequest(claim, token, AcquireRequest.NO_EXPIRY);
    }
}
