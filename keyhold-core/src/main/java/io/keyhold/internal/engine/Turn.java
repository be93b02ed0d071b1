package io.keyhold.internal.engine;

import io.keyhold.internal.TokenText;
import io.keyhold.internal.time.ClockReading;

/**
 * One grant of the store and the passes within this client that follow on it. Each hold of a turn has a fencing token of its
 * own; the store leaves the numbers free (see {@link io.keyhold.internal.store.LockValue#STRIDE}).
 *
 * <p>The store knows all holds of a turn by one token. Users must be able to release by token, from anywhere, and never
 * release somebody else's hold: so a turn ends with the first hold whose token anybody has read
 * ({@link HeldLease#token()}, {@link TokenUse}), and what a user reads tells which hold of the turn it was.
 *
 * @param token the holder, as the store knows it
 * @param firstFencingToken what the store granted
 * @param passes how many holds went before this one
 * @param began when the store was asked
 */
record Turn(String token, long firstFencingToken, int passes, ClockReading began) {

    private static final char PASS_MARK = '/';

    Turn(String token, long fencingToken, ClockReading began) {
        this(token, fencingToken, 0, began);
    }

    Turn next() {
        return new Turn(token, firstFencingToken, passes + 1, began);
    }

    long fencingToken() {
        return firstFencingToken + passes;
    }

    String tokenForUser() {
        return passes == 0 ? token : token + PASS_MARK + passes;
    }

    /** For whoever asks only after the turn has gone on: a token that nothing is held by. */
    String tokenOfThePast() {
        return token + PASS_MARK + passes + PASS_MARK + "passed";
    }

    /**
     * What a token that a user has read means.
     *
     * @param token the holder, as the store knows it
     * @param passes which hold of its turn
     */
    record Reading(String token, int passes) {

        /** Takes apart only what {@link Turn#tokenForUser()} puts together: tokens of users may contain anything. */
        static Reading of(String text) {
            int mark = text.lastIndexOf(PASS_MARK);
            if (mark > 0 && TokenText.read(text.substring(0, mark)).isPresent()) {
                String passes = text.substring(mark + 1);
                if (passes.matches("[1-9][0-9]?")) {
                    return new Reading(text.substring(0, mark), Integer.parseInt(passes));
                }
            }
            return new Reading(text, 0);
        }
    }
}
