package io.keyhold.internal.engine.acquire;

import io.keyhold.Lease;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.store.AcquireReply;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The head of a local queue, as the requests behind it see it: a request, or the lease that it was granted. */
sealed interface QueueHead permits Acquisition, QueueHead.Held {

    /** Returns the holder of the lock, as far as it is known. */
    AcquireReply.Busy holder();

    /** Ends a request whose deadline is over. Returns false if the head is over without a reply, and the request has to wait for it. */
    boolean endOverdue(Acquisition overdue);

    /** The lease of the head. */
    record Held(HeldLease lease) implements QueueHead {

        @Override
        public AcquireReply.Busy holder() {
            Duration remaining = lease.remaining();
            return new AcquireReply.Busy(
                    Optional.of(lease.storedToken()),
                    remaining.equals(Lease.ENDLESS) ? OptionalLong.empty() : OptionalLong.of(remaining.toMillis()),
                    OptionalLong.empty(),
                    AcquireReply.HolderKind.KEYHOLD);
        }

        @Override
        public boolean endOverdue(Acquisition overdue) {
            overdue.outcome.complete(Optional.empty());
            return true;
        }
    }
}
