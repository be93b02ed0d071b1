package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static io.keyhold.internal.engine.EngineFixture.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A thousand at once: a driver bears a limited number of background calls, and the rest would time out. */
class ManyRequestsTest {

    private static final int CROWD = 1000;
    private static final int AT_A_TIME = 64;

    private final EngineFixture fixture = new EngineFixture();

    @Test
    void releasesAreLimitedWhenAllLeasesEnd() {
        List<Lease> leases = IntStream.range(0, CROWD)
                .mapToObj(i -> fixture.acquire("key" + i, FIXED))
                .toList();
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        List<CompletableFuture<Boolean>> released =
                leases.stream().map(Lease::releaseAsync).toList();
        assertThat(leases).noneMatch(Lease::isHeld);
        assertThat(fixture.count("release")).as("in flight").isEqualTo(AT_A_TIME);
        fixture.store.deliver();
        assertThat(released).allMatch(CompletableFuture::join);
        assertThat(fixture.count("release")).isEqualTo(CROWD);
    }

    @Test
    void withdrawalsAreLimited() {
        fixture.otherClient().tryAcquireAsync(EngineFixture.ask("a", FIXED)).join();
        List<CompletableFuture<Optional<Lease>>> requests = IntStream.range(0, CROWD)
                .mapToObj(i -> fixture.request("a", STRICT))
                .toList();
        assertThat(fixture.inQueue("a")).isEqualTo(CROWD);
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        requests.forEach(request -> request.cancel(true));
        assertThat(fixture.count("release")).as("in flight").isEqualTo(AT_A_TIME);
        fixture.store.deliver();
        assertThat(fixture.inQueue("a")).isZero();
    }

    /** They may be waiting for the very lock. */
    @Test
    void releaseDoesNotWaitForAcquires() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        IntStream.range(0, CROWD).forEach(i -> fixture.request("key" + i, FIXED));
        CompletableFuture<Boolean> released = lease.releaseAsync();
        assertThat(fixture.count("release")).isEqualTo(1);
        fixture.store.deliver();
        assertThat(released).isCompletedWithValue(true);
    }

    /** Else the grant could end before the look has its turn, again and again. */
    @Test
    void grantIsTakenWhilePollIsUnsent() {
        Lease holder = fixture.anotherClient()
                .acquire("a", FIXED.toBuilder().lease(Duration.ofMinutes(1)).build());
        CompletableFuture<Optional<Lease>> waiting = fixture.request("a", FIXED);
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        IntStream.range(0, AT_A_TIME).forEach(i -> fixture.request("key" + i, FIXED));
        long sent = fixture.count("acquire a");
        fixture.time.pass(Duration.ofSeconds(10));
        assertThat(fixture.count("acquire a")).as("the look waits").isEqualTo(sent);
        holder.release();
        assertThat(waiting)
                .isCompletedWithValueMatching(lease -> lease.orElseThrow().isHeld());
    }
}
