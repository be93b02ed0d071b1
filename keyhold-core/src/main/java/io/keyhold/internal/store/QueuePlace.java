package io.keyhold.internal.store;

import java.util.Optional;

/**
 * Where a waiter stands in a lock's queue, and where its grant is to be sent. As text, which is what the queue holds, it is
 * {@code inbox number leaseMillis sinceMillis permits token}.
 *
 * @param inbox the address of the client that waits
 * @param number tells this wait from all others of the same client
 * @param leaseMillis how long the hold is to last; {@link AcquireRequest#NO_EXPIRY} if for ever
 * @param sinceMillis when the wait began, by the client's clock
 * @param permits how many permits are waited for; 1 for a lock
 * @param token who will hold the lock
 */
public record QueuePlace(String inbox, long number, long leaseMillis, long sinceMillis, int permits, String token) {

    /** A queue that nobody has asked about for this long is forgotten: all who stood in it are gone. */
    public static final long KEPT_MILLIS = 30_000;

    private static final int PARTS = 6;

    /** Reads the text; empty if somebody wrote something else there. */
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

    /** The text that is stored. */
    public String text() {
        return inbox + " " + number + " " + leaseMillis + " " + sinceMillis + " " + permits + " " + token;
    }
}
