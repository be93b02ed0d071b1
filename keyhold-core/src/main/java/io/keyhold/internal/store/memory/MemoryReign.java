package io.keyhold.internal.store.memory;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.VoteRequest;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Whether a {@link MemoryStore} may vote in a quorum. A space that is new does not know whether it ever granted anything. */
final class MemoryReign {

    private final KeyholdClock clock;
    private boolean admitted;
    private OptionalLong beganNanos = OptionalLong.empty();
    /** That anybody who asked has told of: whoever asks first need not know of the others'. */
    private long longestLeaseMillis;

    MemoryReign(KeyholdClock clock) {
        this.clock = clock;
    }

    /** How long it may not vote yet; empty if it may. */
    OptionalLong forVote(VoteRequest.Admission admission) {
        longestLeaseMillis = Math.max(longestLeaseMillis, admission.longestLeaseMillis());
        OptionalLong left = look(admission);
        admitted = left.isEmpty();
        return left;
    }

    /** What a vote would hear. Its time begins by that too, but does not end: others may have longer leases. */
    OptionalLong look(VoteRequest.Admission admission) {
        if (admitted || admission.ifFresh() == VoteRequest.IfFresh.ADMIT) {
            return OptionalLong.empty();
        }
        long now = clock.monotonicNanos();
        beganNanos = OptionalLong.of(beganNanos.orElse(now));
        long longest = Math.max(longestLeaseMillis, admission.longestLeaseMillis());
        long leftNanos = beganNanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(longest) - now;
        return leftNanos <= 0 ? OptionalLong.empty() : OptionalLong.of((leftNanos + 999_999) / 1_000_000);
    }
}
