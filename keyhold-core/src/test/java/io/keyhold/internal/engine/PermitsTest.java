package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.RENEWED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.SemaphoreOptions;
import io.keyhold.internal.engine.TroubledChannel.Messages;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Waiting for permits, as far as it differs from waiting for a lock. */
class PermitsTest {

    private final EngineFixture fixture = new EngineFixture();
    private final EngineFixture other = fixture.anotherClient();

    @Test
    void requestWithRetriesPolls() {
        Lease holder = acquired(other, 2);
        WaitPlan twice = WaitPlan.of(SemaphoreOptions.builder()
                .retries(2)
                .retryInterval(Duration.ofSeconds(1))
                .build());
        CompletableFuture<Lease> request = request(2, FIXED, twice);
        fixture.time.pass(Duration.ofMillis(1_500));
        assertThat(request).isNotDone();
        assertThat(fixture.inQueue("s")).isZero();
        fixture.time.pass(Duration.ofSeconds(1));
        assertThatThrownBy(request::join)
                .hasCauseInstanceOf(AcquireTimeoutException.class)
                .hasMessageContaining("semaphore 's'")
                .hasMessageContaining("3 attempts")
                .hasMessageContaining(holder.token());
    }

    @Test
    void timeoutNamesHolderAndLeavesQueue() {
        Lease holder = acquired(other, 2);
        CompletableFuture<Lease> request = request(2, FIXED, WaitPlan.of(FIXED).within(Duration.ofSeconds(6)));
        fixture.time.pass(Duration.ofMillis(6_100));
        assertThatThrownBy(request::join)
                .hasCauseInstanceOf(AcquireTimeoutException.class)
                .hasMessageContaining("semaphore 's'")
                .hasMessageContaining(holder.token());
        assertThat(fixture.inQueue("s")).isZero();
    }

    @Test
    void expiryWakesWaiter() {
        acquired(other, 2, FIXED);
        CompletableFuture<Lease> request = request(1, FIXED, WaitPlan.of(FIXED));
        fixture.time.pass(Duration.ofMillis(9_990));
        assertThat(request).isNotDone();
        fixture.time.pass(Duration.ofMillis(100));
        assertThat(request).isCompleted();
    }

    @Test
    void firstExpiryWakesWaiter() {
        acquired(other, 1, RENEWED);
        acquired(other, 1, FIXED);
        CompletableFuture<Lease> request = request(1, FIXED, WaitPlan.of(FIXED));
        fixture.time.pass(Duration.ofMillis(10_100));
        assertThat(request).isCompleted();
    }

    @Test
    void pollAfterExpiryServesFollowingWaiters() {
        acquired(other, 2, FIXED);
        CompletableFuture<Lease> first = request(1, RENEWED, WaitPlan.of(RENEWED));
        CompletableFuture<Lease> second = request(1, RENEWED, WaitPlan.of(RENEWED));
        fixture.time.pass(Duration.ofMillis(10_100));
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
    }

    @Test
    void lostGrantsAreFoundAfterReopening() {
        Lease holder = acquired(other, 2);
        CompletableFuture<Lease> first = request(1, RENEWED, WaitPlan.of(RENEWED));
        CompletableFuture<Lease> second = request(1, RENEWED, WaitPlan.of(RENEWED));
        fixture.store.channel.messages = Messages.LOST;
        holder.releaseAsync().join();
        assertThat(first).isNotDone();
        fixture.store.channel.messages = Messages.ARRIVE;
        fixture.time.pass(Duration.ofSeconds(25));
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
    }

    @Test
    void resizeFailsTooLargeRequest() {
        Lease holder = acquired(other, 1);
        CompletableFuture<Lease> large = request(2, FIXED, WaitPlan.of(FIXED));
        CompletableFuture<Lease> small = request(1, FIXED, WaitPlan.of(FIXED));
        fixture.store.server.resize("s", 2, 1, CallMode.BLOCKING);
        assertThat(large).as("though no permit has come back").isCompletedExceptionally();
        holder.releaseAsync().join();
        assertThatThrownBy(large::join)
                .hasCauseInstanceOf(SemaphoreLimitException.class)
                .hasMessageContaining("has 1 permits, but 2 were requested");
        assertThat(small).isCompleted();
    }

    @Test
    void withdrawalOfLargeRequestServesFollowing() {
        acquired(other, 1);
        CompletableFuture<Lease> large = request(2, FIXED, WaitPlan.of(FIXED));
        CompletableFuture<Lease> small = request(1, FIXED, WaitPlan.of(FIXED));
        assertThat(small).isNotDone();
        large.cancel(true);
        assertThat(small).isCompleted();
    }

    private CompletableFuture<Lease> request(int permits, LockOptions options, WaitPlan plan) {
        return fixture.engine.acquireAsync(ask(permits, options, plan));
    }

    private static Lease acquired(EngineFixture client, int permits) {
        return acquired(client, permits, RENEWED);
    }

    private static Lease acquired(EngineFixture client, int permits, LockOptions options) {
        Optional<Lease> lease = client.engine
                .tryAcquireAsync(ask(permits, options, WaitPlan.NONE))
                .join();
        return lease.orElseThrow();
    }

    private static AcquireSpec ask(int permits, LockOptions options, WaitPlan plan) {
        Claim claim = Claim.Permits.of("s", permits, new Limit(2, Limit.IfOther.REFUSE));
        return new AcquireSpec(new Subject("s", "semaphore 's'", claim, List.of()), options, plan);
    }
}
