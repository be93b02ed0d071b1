package io.keyhold.internal.store;

import java.util.Optional;
import java.util.OptionalLong;

/** What a store answers to a request for a lock or for permits. */
public sealed interface AcquireReply {

    /**
     * The lock is the asker's, and it stands in no queue.
     *
     * @param fencingToken larger than that of every earlier hold
     */
    record Granted(long fencingToken) implements AcquireReply {}

    /**
     * The lock is not to be had now. If the request named a place in the queue, the asker stands there.
     *
     * @param holder whose it is, of several holders the first to expire; empty if nobody's, and the request said to leave a
     *     free lock
     * @param remainingMillis when that hold ends by itself; empty if never, or not told
     * @param atMicros the time of this answer by the store's clock; empty if not told
     * @param kind what is known of the holder
     * @param detail more about it, for a user who waited in vain
     */
    record Busy(
            Optional<String> holder,
            OptionalLong remainingMillis,
            OptionalLong atMicros,
            HolderKind kind,
            Optional<String> detail)
            implements AcquireReply {

        /** With nothing more to say. */
        public Busy(Optional<String> holder, OptionalLong remainingMillis, OptionalLong atMicros, HolderKind kind) {
            this(holder, remainingMillis, atMicros, kind, Optional.empty());
        }

        /** Before anything is known. */
        public static final Busy UNKNOWN = nobody();

        /** Nobody holds the lock, and the request said to leave it. */
        public static Busy nobody() {
            return new Busy(Optional.empty(), OptionalLong.empty(), OptionalLong.empty(), HolderKind.KEYHOLD);
        }
    }

    /**
     * The semaphore has another number of permits than the request says, or fewer than it wants; the asker stands in no queue.
     *
     * @param limit how many it has
     */
    record OtherLimit(int limit) implements AcquireReply {}

    /** Whether a holder will hand the lock over to those who wait. */
    enum HolderKind {
        /** It was granted by Keyhold, whose release hands over. */
        KEYHOLD,
        /** It was taken by something else, which knows of no queue: those who wait have to look again and again. */
        FOREIGN
    }
}
