package io.keyhold.internal.store;

import java.util.Optional;
import java.util.OptionalLong;

/** What a store answers to a request for a lock. */
public sealed interface AcquireReply {

    /**
     * The lock is the asker's.
     *
     * @param fencingToken larger than that of every earlier hold
     */
    record Granted(long fencingToken) implements AcquireReply {}

    /**
     * The lock is not to be had now.
     *
     * @param holder whose it is; empty if nobody's, and the request said to leave a free lock
     * @param remainingMillis when it ends by itself; empty if never
     */
    record Busy(Optional<String> holder, OptionalLong remainingMillis) implements AcquireReply {}
}
