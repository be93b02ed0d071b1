package io.keyhold.shedlock;

import io.keyhold.Lease;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** One hold. */
final class KeyholdSimpleLock extends AbstractSimpleLock {

    private final Lease lease;
    private final boolean renewed;

    KeyholdSimpleLock(LockConfiguration configuration, Lease lease, boolean renewed) {
        super(configuration);
        this.lease = lease;
        this.renewed = renewed;
    }

    @Override
    protected void doUnlock() {
        Duration rest = Duration.between(ClockProvider.now(), lockConfiguration.getLockAtLeastUntil());
        if (rest.isNegative()) {
            lease.release();
        } else {
            lease.releaseAfter(rest);
        }
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration configuration) {
        // The lease on the server may be longer than lockAtMostFor, which must not show.
        if (!renewed && !ClockProvider.now().isBefore(lockConfiguration.getLockAtMostUntil())) {
            lease.release();
            return Optional.empty();
        }
        return lease.extend(KeyholdLockProvider.leaseFor(configuration.getLockAtMostFor()))
                ? Optional.of(new KeyholdSimpleLock(configuration, lease, renewed))
                : Optional.empty();
    }
}
