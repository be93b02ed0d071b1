package io.keyhold.internal.engine;

import static io.keyhold.internal.engine.EngineFixture.FIXED;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Lease;
import io.keyhold.internal.engine.TroubledStore.Trouble;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Closing a client whose store does not reply. */
class CloseTest {

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final ManualTime time = new ManualTime();
    private final EngineFixture fixture = new EngineFixture(time, Runnable::run);

    /** The thread that closes waits for timers: whenever one is set, the time moves on as if it passed meanwhile. */
    private Duration timeToClose() {
        long began = time.monotonicNanos();
        time.atSchedule = time::passToNext;
        fixture.engine.close();
        return Duration.ofNanos(time.monotonicNanos() - began);
    }

    @Test
    void releaseWithoutReplyDelaysCloseBriefly() {
        Lease lease = fixture.acquire("a", FIXED);
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        assertThat(timeToClose()).isLessThanOrEqualTo(LIMIT);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void requestWithoutReplyDelaysCloseBriefly() {
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        CompletableFuture<Optional<Lease>> request = fixture.request("a", FIXED);
        assertThat(timeToClose()).isLessThanOrEqualTo(LIMIT);
        assertThat(request).isCompletedExceptionally();
    }

    @Test
    void bothWithoutReplyDelayCloseBriefly() {
        fixture.acquire("a", FIXED);
        fixture.store.always = Trouble.REPLY_HELD_BACK;
        fixture.request("b", FIXED);
        assertThat(timeToClose()).isLessThanOrEqualTo(LIMIT);
    }

    @Test
    void leasesAreReleasedDespiteRequestWithoutReply() {
        fixture.acquire("a", FIXED);
        fixture.store.troubles.add(Trouble.REPLY_HELD_BACK);
        fixture.request("b", FIXED);
        time.atSchedule = () -> {
            assertThat(fixture.onServer("a"))
                    .as("before it waits for the request")
                    .isEmpty();
            time.passToNext();
        };
        fixture.engine.close();
        assertThat(fixture.count("release a")).isEqualTo(1);
    }

    @Test
    void respondingStoreDelaysNothing() {
        fixture.acquire("a", FIXED);
        fixture.engine.close();
        assertThat(fixture.onServer("a")).isEmpty();
    }
}
