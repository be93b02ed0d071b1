package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdClock;
import io.keyhold.LockOptions;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.time.ClockReading;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One hold of a grant of the store: the first, or one that came of it by a local hand-over. Each has a fencing token of its own: the
 * store leaves the numbers free (see {@link io.keyhold.internal.store.LockValue#STRIDE}).
 *
 * <p>The store knows all holds of one grant by the same token. Users may release by token, from anywhere, and must never
 * release the hold of another thread by that: so the first hold whose token was read ({@link #readToken}) is the last of its
 * grant, and the token that a user reads says which hold it was.
 */
public final class CohortHold {

    private static final char HAND_OVER_MARK = '/';

    private enum TokenUse {
        NONE,
        READ,
        HANDED_OVER
    }

    private final String token;
    private final long fencingToken;
    private final int handOvers;
    private final ClockReading began;
    /** A token is read or handed over, never both. */
    private final AtomicReference<TokenUse> use = new AtomicReference<>(TokenUse.NONE);

    /**
     * Creates a hold.
     *
     * @param token the holder, as the store knows it
     * @param firstFencingToken what the store granted
     * @param handOvers how many local hand-overs came before this hold
     * @param began when the store was asked
     */
    public CohortHold(String token, long firstFencingToken, int handOvers, ClockReading began) {
        this.token = token;
        this.fencingToken = firstFencingToken + handOvers;
        this.handOvers = handOvers;
        this.began = began;
    }

    /** Returns the holder, as the store knows it. */
    String token() {
        return token;
    }

    public long fencingToken() {
        return fencingToken;
    }

    /** Returns the fencing token of the first hold, which the store granted. */
    long grantedFencingToken() {
        return fencingToken - handOvers;
    }

    /** Returns the token for a user. It holds nothing if the hold was handed over before: a later one has the stored token. */
    String readToken() {
        use.compareAndSet(TokenUse.NONE, TokenUse.READ);
        String text = handOvers == 0 ? token : token + HAND_OVER_MARK + handOvers;
        return isHandedOver() ? token + HAND_OVER_MARK + handOvers + HAND_OVER_MARK + "handed-over" : text;
    }

    /** Returns whether the bounds of local hand-overs, which keep waiters of other clients from starving, allow one more. */
    boolean mayHandOver(LockOptions next, KeyholdClock clock) {
        return handOvers < next.maxLocalHandOvers()
                && began.nanosSince(clock) < next.maxLocalTime().toNanos();
    }

    /** Hands the token over to the next hold, and returns that; empty if the token was read. */
    Optional<CohortHold> handOver() {
        return use.compareAndSet(TokenUse.NONE, TokenUse.HANDED_OVER)
                ? Optional.of(new CohortHold(token, grantedFencingToken(), handOvers + 1, began))
                : Optional.empty();
    }

    boolean isHandedOver() {
        return use.get() == TokenUse.HANDED_OVER;
    }

    /**
     * The meaning of a token that a user has read.
     *
     * @param token the holder, as the store knows it
     * @param handOvers which hold of its grant
     */
    public record ParsedToken(String token, int handOvers) {

        /** Parses only what {@link CohortHold#readToken()} writes: tokens chosen by users may contain anything. */
        public static ParsedToken of(String text) {
            int mark = text.lastIndexOf(HAND_OVER_MARK);
            if (mark > 0 && TokenText.read(text.substring(0, mark)).isPresent()) {
                String handOvers = text.substring(mark + 1);
                if (handOvers.matches("[1-9][0-9]?")) {
                    return new ParsedToken(text.substring(0, mark), Integer.parseInt(handOvers));
                }
            }
            return new ParsedToken(text, 0);
        }
    }
}
