package io.keyhold.internal.engine.lease;

import io.keyhold.internal.TokenText;
import io.keyhold.internal.time.ClockReading;

/**
 * One grant of the store, and the local hand-overs that follow it. Each hold has a fencing token of its own: the store
 * leaves the numbers free (see {@link io.keyhold.internal.store.LockValue#STRIDE}).
 *
 * <p>The store knows all holds of one grant by the same token. Users may release by token, from anywhere, and must never
 * release the hold of another thread by that: so the first hold whose token was read ({@link HeldLease#token()}, {@link TokenUse})
 * is the last of its grant, and the token that a user reads says which hold it was.
 *
 * @param token the holder, as the store knows it
 * @param firstFencingToken what the store granted
 * @param passes how many local hand-overs came before this hold
 * @param began when the store was asked
 */
public record CohortHold(String token, long firstFencingToken, int passes, ClockReading began) {

    private static final char PASS_MARK = '/';

    /** The first hold of a grant. */
    public CohortHold(String token, long fencingToken, ClockReading began) {
        this(token, fencingToken, 0, began);
    }

    CohortHold next() {
        return new CohortHold(token, firstFencingToken, passes + 1, began);
    }

    public long fencingToken() {
        return firstFencingToken + passes;
    }

    String tokenForUser() {
        return passes == 0 ? token : token + PASS_MARK + passes;
    }

    /** Returns a token that holds nothing, for a hold that was handed over before its token was read. */
    String staleToken() {
        return token + PASS_MARK + passes + PASS_MARK + "passed";
    }

    /**
     * The meaning of a token that a user has read.
     *
     * @param token the holder, as the store knows it
     * @param passes which hold of its grant
     */
    public record ParsedToken(String token, int passes) {

        /** Parses only what {@link CohortHold#tokenForUser()} writes: tokens chosen by users may contain anything. */
        public static ParsedToken of(String text) {
            int mark = text.lastIndexOf(PASS_MARK);
            if (mark > 0 && TokenText.read(text.substring(0, mark)).isPresent()) {
                String passes = text.substring(mark + 1);
                if (passes.matches("[1-9][0-9]?")) {
                    return new ParsedToken(text.substring(0, mark), Integer.parseInt(passes));
                }
            }
            return new ParsedToken(text, 0);
        }
    }
}
