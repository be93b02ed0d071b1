package io.keyhold.inspect;

import io.keyhold.internal.TokenText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A holder of a lock, or of permits of a semaphore.
 *
 * @param token the value of the lock's key; cut off after 512 characters if it is not Keyhold's
 * @param mode whether it holds alone
 * @param permits how many permits of a semaphore it holds; 1 for everything else
 * @param foreign whether it is not a Keyhold client
 * @param clientName the holder's client name, if Keyhold made the token
 * @param host the holder's machine, if Keyhold made the token
 * @param processId the holder's process, if Keyhold made the token
 * @param fencingToken the hold's fencing token, unless it is foreign
 * @param heldSince when it was granted by the server's clock, unless it is foreign
 * @param remaining how long the hold lasts unless it is renewed; empty if it never expires
 */
public record LockHolder(
        String token,
        LockMode mode,
        int permits,
        boolean foreign,
        Optional<String> clientName,
        Optional<String> host,
        OptionalLong processId,
        OptionalLong fencingToken,
        Optional<Instant> heldSince,
        Optional<Duration> remaining) {

    /** Returns whether the hold has ended and the key stays taken for a while ({@link io.keyhold.Lease#releaseAfter}). */
    public boolean isResting() {
        return TokenText.isResting(token);
    }
}
