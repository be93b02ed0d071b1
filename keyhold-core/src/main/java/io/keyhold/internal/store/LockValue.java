package io.keyhold.internal.store;

import io.keyhold.internal.TokenText;
import java.util.Optional;

/**
 * The value of a lock that Keyhold granted: {@code token fencingToken sinceMicros}. Any other value is a foreign holder's.
 *
 * @param token the holder
 * @param fencingToken the fencing token that was granted with it
 * @param sinceMicros the time of the grant, by the store's clock
 */
public record LockValue(String token, long fencingToken, long sinceMicros) {

    /**
     * Fencing tokens grow by this much from grant to grant, so that a holder has numbers for local hand-overs, of which the
     * store does not know. The counter belongs to a hash slot: with at most some 10,000 grants per second in one slot it does
     * not outrun the clock's microseconds, and a counter that was lost starts again above all earlier numbers.
     */
    public static final long STRIDE = 64;

    /** Returns the fencing token after {@code last}. */
    public static long next(long last, long nowMicros) {
        return Math.max(last + STRIDE, nowMicros);
    }

    /** Reads a value; empty if it is a foreign one. A token may contain spaces, so the numbers are read from the end. */
    public static Optional<LockValue> read(String text) {
        int since = text.lastIndexOf(' ');
        int fencing = text.lastIndexOf(' ', since - 1);
        if (fencing < 0 || !isNumber(text, fencing + 1, since) || !isNumber(text, since + 1, text.length())) {
            return Optional.empty();
        }
        return Optional.of(new LockValue(
                text.substring(0, fencing),
                Long.parseLong(text.substring(fencing + 1, since)),
                Long.parseLong(text.substring(since + 1))));
    }

    private static boolean isNumber(String text, int from, int to) {
        return to > from
                && to - from <= 18
                && text.substring(from, to).chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }

    /** Returns the token in a value: of a foreign one, all of it. */
    public static String tokenIn(String text) {
        return read(text).map(LockValue::token).orElse(text);
    }

    /** Returns whether a value is of this token. A foreign value is its holder's token. */
    public static boolean isOf(String text, String token) {
        return text.equals(token) || (text.startsWith(token) && tokenIn(text).equals(token));
    }

    /** Returns the value that keeps a lock taken after this hold. */
    public LockValue resting() {
        return new LockValue(TokenText.resting(token), fencingToken, sinceMicros);
    }

    /** Returns the text that is stored. */
    public String text() {
        return token + " " + fencingToken + " " + sinceMicros;
    }
}
