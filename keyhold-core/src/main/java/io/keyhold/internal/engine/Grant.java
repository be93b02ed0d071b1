package io.keyhold.internal.engine;

import org.jspecify.annotations.Nullable;

/**
 * What a lease begins with.
 *
 * @param ask what was asked for
 * @param token who holds it
 * @param fencingToken its number
 * @param attempts how many it took
 * @param validity how long it is certain
 * @param owner the thread that took it, if it belongs to one
 * @param origin where the token comes from
 */
record Grant(
        Ask ask,
        String token,
        long fencingToken,
        int attempts,
        Validity validity,
        @Nullable Thread owner,
        Origin origin) {

    /** Where a token comes from. Only one of ours is surely used for one hold, and may be released behind everybody's back. */
    enum Origin {
        OURS,
        CALLERS,
        ADOPTED
    }
}
