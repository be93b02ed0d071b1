package io.keyhold.internal.store;

import java.util.Optional;

/**
 * An entry of a lock's queue: the waiter, and where its grant is to be sent. As text, which is what the queue holds, it is
 * {@code channel number leaseMillis sinceMillis permits token}.
 *
 * @param channel the grant channel of the client that waits
 * @param number distinguishes this wait from all others of the same client
 * @param leaseMillis how long the hold is to last; {@link AcquireRequest#NO_EXPIRY} if without end
 * @param sinceMillis when the wait began, by the client's clock
 * @param permits how many permits are waited for; 1 for a lock
 * @param token the token that will hold the lock
 */
public record QueuePlace(String channel, long number, long leaseMillis, long sinceMillis, int permits, String token) {

    /** A queue that no request has touched for this long is dropped: all its waiters are gone. */
    public static final long KEPT_MILLIS = 30_000;

    private static final int PARTS = 6;

    /** Reads the text; empty if it is not an entry. */
    public static Optional<QueuePlace> read(String text) {
        String[] parts = text.split(" ", PARTS);
        try {
            return parts.length == PARTS
                    ? Optional.of(new QueuePlace(
                            parts[0],
                            Long.parseLong(parts[1]),
                            Long.parseLong(parts[2]),
                            Long.parseLong(parts[3]),
                            Integer.parseInt(parts[4]),
                            parts[5]))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns the text that is stored. */
    public String text() {
        return channel + " " + number + " " + leaseMillis + " " + sinceMillis + " " + permits + " " + token;
    }
}
