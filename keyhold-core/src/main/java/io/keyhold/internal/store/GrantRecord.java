package io.keyhold.internal.store;

import java.util.Optional;

/**
 * What is noted at every grant, and kept for a while after it: the fencing counter, and for operators when the grant
 * was and to whom. As text it is {@code fencingToken sinceMicros token}.
 *
 * @param fencingToken the token that was granted
 * @param sinceMicros the moment of the grant, by the store's clock
 * @param token the holder
 */
public record GrantRecord(long fencingToken, long sinceMicros, String token) {

    /**
     * Tokens grow by this much from grant to grant, so that a holder has numbers to give to those whom it hands the lock
     * to without asking the store. With at most some 10,000 grants of one key in a second, the counter does not outrun
     * the clock's microseconds, and a counter that was lost starts again above all earlier numbers.
     */
    public static final long STRIDE = 64;

    /** The fencing token of the next grant after this record. */
    public static long next(Optional<GrantRecord> last, long nowMicros) {
        return Math.max(last.map(record -> record.fencingToken() + STRIDE).orElse(0L), nowMicros);
    }

    /** Reads the text; empty if somebody wrote something else there. */
    public static Optional<GrantRecord> read(String text) {
        String[] parts = text.split(" ", 3);
        try {
            return parts.length == 3
                    ? Optional.of(new GrantRecord(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The text that is stored. */
    public String text() {
        return fencingToken + " " + sinceMicros + " " + token;
    }
}
