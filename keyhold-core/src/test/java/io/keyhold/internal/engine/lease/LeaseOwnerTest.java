package io.keyhold.internal.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.LockOptions;
import io.keyhold.internal.engine.EngineFixture;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseOwnerTest {

    private static final LockOptions INTERRUPTED =
            EngineFixture.FIXED.toBuilder().interruptOnLoss(true).build();

    private final EngineFixture fixture = new EngineFixture();

    @Test
    void lossInterruptsOwnerOnce() throws InterruptedException {
        HeldLease lease = owned();
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lease.leaveOwner()).as("it was interrupted").isTrue();
    }

    @Test
    void lossAfterReleaseDoesNotInterrupt() throws InterruptedException {
        HeldLease lease = owned();
        assertThat(lease.leaveOwner()).isFalse();
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(lease.loss()).isPresent();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void releasedLeaseDoesNotInterruptAtItsEnd() throws InterruptedException {
        HeldLease lease = owned();
        assertThat(lease.releaseAsync()).isCompletedWithValue(true);
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(lease.loss()).isEmpty();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void lossWithoutOwnerInterruptsNothing() {
        HeldLease lease = (HeldLease) fixture.acquire("a", INTERRUPTED);
        fixture.time.pass(Duration.ofSeconds(11));
        assertThat(lease.loss()).isPresent();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(lease.leaveOwner()).isFalse();
    }

    private HeldLease owned() throws InterruptedException {
        return fixture.engine.acquire(EngineFixture.ask("a", INTERRUPTED));
    }
}
