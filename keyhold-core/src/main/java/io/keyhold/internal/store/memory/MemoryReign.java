package io.keyhold.internal.store.memory;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.VoteRequest;
import java.util.OptionalLong;

/** Whether a {@link MemoryStore} may vote in a quorum. A space that is new does not know whether it ever granted anything. */
final class MemoryReign {

    private final KeyholdClock clock;
    private boolean admitted;
    private OptionalLong quarantineEndsNanos = OptionalLong.empty();

    MemoryReign(KeyholdClock clock) {
        this.clock = clock;
    }

    /** How long it may not vote yet; empty if it may. */
    OptionalLong quarantineMillis(VoteRequest.Admission admission) {
        long now = clock.monotonicNanos();
        if (!admitted && quarantineEndsNanos.isEmpty()) {
            quarantineEndsNanos = OptionalLong.of(now + admission.longestLeaseMillis() * 1_000_000);
        }
        admitted = admitted
                || admission.ifFresh() == VoteRequest.IfFresh.ADMIT
                || quarantineEndsNanos.getAsLong() - now <= 0;
        return admitted
                ? OptionalLong.empty()
                : OptionalLong.of((quarantineEndsNanos.getAsLong() - now) / 1_000_000 + 1);
    }
}
