package io.keyhold.internal.engine;

import org.jspecify.annotations.Nullable;

/**
 * What a lease begins with.
 *
 * @param ask what was asked for
 * @param turn who holds it, and its number
 * @param attempts how many it took
 * @param validity how long it is certain
 * @param owner the thread that took it, if it belongs to one
 * @param origin where the token comes from
 * @param gated whether others of this client may be waiting behind it
 */
record Grant(
        Ask ask,
        Turn turn,
        int attempts,
        Validity validity,
        @Nullable Thread owner,
        Origin origin,
        boolean gated) {

    /** Where a token comes from. Only one of ours is surely used for one hold, and may be released behind everybody's back. */
    enum Origin {
        OURS,
        CALLERS,
        ADOPTED
    }
}
