package io.keyhold.doctor;

import io.keyhold.inspect.LockHolder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds a hold that expires too late because the server's clock was set back after the grant: Redis stores an expiry as a time of day.
 * The length of a lease is not stored, but the time of its grant is. A grant in the server's future proves that the clock was set back by at
 * least that much. An expiry after that time was set by the old clock, so it is too late by as much. A hold that was renewed since has a
 * new expiry, and is not reported.
 */
public final class LateExpiry {

    /** A shorter delay is not reported. */
    private static final Duration THRESHOLD = Duration.ofSeconds(1);

    private LateExpiry() {}

    /** Returns the least time by which the hold expires too late. The server's time must be read after the hold. */
    public static Optional<Duration> of(LockHolder holder, Instant serverTime) {
        return holder.heldSince()
                .map(since -> Duration.between(serverTime, since))
                .filter(ahead -> ahead.compareTo(THRESHOLD) > 0)
                .filter(ahead -> holder.remaining()
                        .filter(left -> left.compareTo(ahead) > 0)
                        .isPresent());
    }
}
