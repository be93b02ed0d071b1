package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a release returns whose first try got no reply, and what is reported when the lock was lost by then. */
class ReleaseTest {

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();
    private final Lease lease = fixture.acquire("a", FIXED);

    /** As after a restart without data: another client has the lock. */
    private void anotherClientTakesIt() {
        fixture.store.server.forceRelease("a", CallMode.BLOCKING);
        other.acquire("a", FIXED);
    }

    private void assertLossReported(LeaseLost.Reason reason) {
        assertThat(lease.lost().toCompletableFuture()).isCompleted();
        assertThat(lease.lost().toCompletableFuture().join().reason()).isEqualTo(reason);
    }

    @Test
    void serverNotServingReleasesNothing() {
        anotherClientTakesIt();
        fixture.store.troubles.add(Trouble.READ_ONLY);
        assertThat(lease.release()).isFalse();
        assertThat(fixture.count("release")).isEqualTo(2);
        assertLossReported(LeaseLost.Reason.TAKEN);
        assertThat(Engine.endWork((HeldLease) lease)).as("run() throws it").isPresent();
        assertThat(other.onServer("a")).isPresent();
    }

    @Test
    void serverServingAgainReleases() {
        fixture.store.troubles.add(Trouble.READ_ONLY);
        assertThat(lease.release()).isTrue();
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void unsentReleaseReportsLossFromBackground() {
        anotherClientTakesIt();
        fixture.store.troubles.add(Trouble.NOT_CONNECTED);
        assertThatThrownBy(lease::release).isInstanceOf(StoreUnavailableException.class);
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
        fixture.time.pass(Duration.ofMillis(1));
        assertLossReported(LeaseLost.Reason.TAKEN);
        assertThat(other.onServer("a")).isPresent();
    }

    @Test
    void unsentReleaseDoneInBackgroundReportsNoLoss() {
        fixture.store.troubles.add(Trouble.NOT_CONNECTED);
        assertThatThrownBy(lease::release).isInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofSeconds(20));
        assertThat(fixture.onServer("a")).isEmpty();
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void timedOutReleaseReportsNoLoss() {
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        assertThatThrownBy(lease::release).isInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofSeconds(20));
        assertThat(lease.lost().toCompletableFuture())
                .as("it is not held because it was released")
                .isNotDone();
    }

    @Test
    void repeatedBackgroundReleaseReportsNoLoss() {
        fixture.store.troubles.add(Trouble.NOT_CONNECTED);
        fixture.store.troubles.add(Trouble.REPLY_CUT);
        assertThatThrownBy(lease::release).isInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofSeconds(20));
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void failedReleaseIsRepeatedForLengthOfExtendWithoutReply() {
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        assertThatThrownBy(() -> lease.extend(Duration.ofHours(1))).isInstanceOf(StoreUnavailableException.class);
        releaseDuringOutage();
        assertThat(fixture.onServer("a")).isEmpty();
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    /** The renewal was executed, so that the server holds the lock for longer than this client is certain of. */
    @Test
    void failedReleaseIsRepeatedForLengthOfRenewalWithoutReply() {
        Lease renewed = fixture.acquire("b", EngineFixture.RENEWED);
        fixture.store.troubles.add(Trouble.REPLY_TIMED_OUT);
        fixture.store.always = Trouble.NOT_CONNECTED;
        fixture.time.pass(Duration.ofSeconds(12));
        assertThat(fixture.count("renew")).isEqualTo(2);
        assertThatThrownBy(renewed::release).isInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofSeconds(19));
        assertThat(fixture.onServer("b")).isPresent();
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(5));
        assertThat(fixture.onServer("b")).isEmpty();
    }

    @Test
    void failedReleaseAfterUnsentExtendReportsNoLoss() {
        fixture.store.troubles.add(Trouble.NOT_CONNECTED);
        assertThatThrownBy(() -> lease.extend(Duration.ofHours(1))).isInstanceOf(StoreUnavailableException.class);
        releaseDuringOutage();
        assertThat(lease.lost().toCompletableFuture())
                .as("it ended after it was released")
                .isNotDone();
    }

    /** The outage is longer than the lease. */
    private void releaseDuringOutage() {
        fixture.store.always = Trouble.NOT_CONNECTED;
        assertThatThrownBy(lease::release).isInstanceOf(StoreUnavailableException.class);
        fixture.time.pass(Duration.ofMinutes(5));
        fixture.store.always = Trouble.NONE;
        fixture.time.pass(Duration.ofSeconds(10));
    }

    /** Unknown, and documented: the connection was alive when the release was sent, so it most likely arrived. */
    @Test
    void cutReplyCountsAsReleasedWithinLease() {
        fixture.store.troubles.add(Trouble.REPLY_CUT);
        assertThat(lease.release()).isTrue();
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }
}
