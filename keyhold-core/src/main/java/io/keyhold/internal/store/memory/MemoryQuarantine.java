package io.keyhold.internal.store.memory;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.VoteRequest;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Decides whether a {@link MemoryStore} may vote in a quorum. A new one does not know whether it has granted anything. */
final class MemoryQuarantine {

    private final KeyholdClock clock;
    private boolean admitted;
    private OptionalLong startedNanos = OptionalLong.empty();
    /** Of all clients that have asked for a vote: the first need not know that of the others. */
    private long longestLeaseMillis;

    MemoryQuarantine(KeyholdClock clock) {
        this.clock = clock;
    }

    /** Returns for how long the store may not vote; empty if it may. */
    OptionalLong forVote(VoteRequest.Admission admission) {
        longestLeaseMillis = Math.max(longestLeaseMillis, admission.longestLeaseMillis());
        OptionalLong left = peek(admission);
        admitted = left.isEmpty();
        return left;
    }

    /** Returns what a vote would be told. A quarantine starts with this call too, but does not end: other clients may have longer leases. */
    OptionalLong peek(VoteRequest.Admission admission) {
        if (admitted || admission.ifFresh() == VoteRequest.IfFresh.ADMIT) {
            return OptionalLong.empty();
        }
        long now = clock.monotonicNanos();
        startedNanos = OptionalLong.of(startedNanos.orElse(now));
        long longest = Math.max(longestLeaseMillis, admission.longestLeaseMillis());
        long leftNanos = startedNanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(longest) - now;
        return leftNanos <= 0 ? OptionalLong.empty() : OptionalLong.of((leftNanos + 999_999) / 1_000_000);
    }
}
