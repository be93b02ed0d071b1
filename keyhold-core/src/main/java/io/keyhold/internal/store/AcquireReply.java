package io.keyhold.internal.store;

import java.util.Optional;
import java.util.OptionalLong;

/** The reply of a store to a request for a lock or for permits. */
public sealed interface AcquireReply {

    /**
     * The requester holds the lock, and is in no queue.
     *
     * @param fencingToken larger than that of every earlier hold
     */
    record Granted(long fencingToken) implements AcquireReply {}

    /**
     * The lock is not available. If the request named a place in the queue, the requester is there.
     *
     * @param holder the holder's token, of several holders the first to expire; empty if it is free, and the request said to
     *     leave a free lock
     * @param remainingMillis when that hold ends by itself; empty if never, or not told
     * @param atMicros the time of this reply by the store's clock; empty if not told
     * @param kind what is known of the holder
     * @param detail more about it, for the message of a timeout
     */
    record Busy(
            Optional<String> holder,
            OptionalLong remainingMillis,
            OptionalLong atMicros,
            HolderKind kind,
            Optional<String> detail)
            implements AcquireReply {

        /** Creates a reply without detail. */
        public Busy(Optional<String> holder, OptionalLong remainingMillis, OptionalLong atMicros, HolderKind kind) {
            this(holder, remainingMillis, atMicros, kind, Optional.empty());
        }

        /** No holder is known: before the first reply, and of a free lock that the request said to leave. */
        public static final Busy UNKNOWN =
                new Busy(Optional.empty(), OptionalLong.empty(), OptionalLong.empty(), HolderKind.KEYHOLD);
    }

    /**
     * The semaphore has another number of permits than the request says, or fewer than it wants; the requester is in no queue.
     *
     * @param limit how many it has
     */
    record OtherLimit(int limit) implements AcquireReply {}

    /** Whether a holder will hand the lock over to waiters. */
    enum HolderKind {
        /** It was granted by Keyhold, whose release hands over. */
        KEYHOLD,
        /** It was taken by something else, which knows of no queue: waiters have to poll. */
        FOREIGN
    }
}
