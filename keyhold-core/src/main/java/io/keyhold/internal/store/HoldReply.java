package io.keyhold.internal.store;

import io.keyhold.internal.Formats;
import java.util.List;
import java.util.Optional;

/** The reply of a store to a request on a hold. */
public sealed interface HoldReply {

    /**
     * It did hold the lock, and what was asked is done.
     *
     * @param grants what waiters of the client that released were granted by that, and are not told otherwise
     */
    record Done(List<GrantNotice> grants) implements HoldReply {}

    /**
     * It does not hold the lock, and nothing was done.
     *
     * @param holder the current holder, if any
     */
    record NotHeld(Optional<String> holder) implements HoldReply {

        /** Returns what is known of it, for a message. */
        public String detail() {
            return holder.map(other -> "now held by " + Formats.token(other))
                    .orElse("no longer on the server: expired, force-released, or lost in a restart");
        }
    }

    /**
     * Too few nodes have replied: the lock may be held or not.
     *
     * @param detail which nodes did not reply, and why
     */
    record Unknown(String detail) implements HoldReply {}

    /** It did hold the lock. */
    HoldReply DONE = new Done(List.of());

    /** Returns the reply for both of two holds: the first that is not done. */
    static HoldReply ofBoth(HoldReply first, HoldReply second) {
        return first instanceof Done ? second : first;
    }
}
