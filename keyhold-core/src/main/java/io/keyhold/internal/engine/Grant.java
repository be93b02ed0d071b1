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
 */
record Grant(
        Ask ask,
        String token,
        long fencingToken,
        int attempts,
        Validity validity,
        @Nullable Thread owner) {}
