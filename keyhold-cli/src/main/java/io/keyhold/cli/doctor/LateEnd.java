package io.keyhold.cli.doctor;

import io.keyhold.inspect.LockHolder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds a hold that ends too late, because the server's clock was set back after it was granted: Redis keeps the end of a lease as a time of day.
 * How long a lease was is stored nowhere, but when it was granted is. A grant in the server's future is proof that its clock was set back by at
 * least as much, and an end that lies behind that moment has not been counted by the new time yet: it is that much too late. A hold that was
 * renewed since has a new end, and is not meant.
 */
public final class LateEnd {

    /** Less than that is not worth a word. */
    private static final Duration LITTLE = Duration.ofSeconds(1);

    private LateEnd() {}

    /** Returns by how much the hold ends too late, at least. The time is the server's, and of after the hold was looked at. */
    public static Optional<Duration> of(LockHolder holder, Instant serverTime) {
        return holder.heldSince()
                .map(since -> Duration.between(serverTime, since))
                .filter(ahead -> ahead.compareTo(LITTLE) > 0)
                .filter(ahead -> holder.remaining()
                        .filter(left -> left.compareTo(ahead) > 0)
                        .isPresent());
    }
}
