package io.keyhold.internal.engine.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.internal.engine.ManualTime;
import io.keyhold.internal.time.ClockReading;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** By the store's clock it is a million seconds; ours shows something else, and runs at a slightly different speed. */
class ServerClockTest {

    private static final long MICROS = 1_000_000_000_000L;
    private static final long LEASE_MILLIS = 10_000;

    private final ManualTime time = new ManualTime();
    private final ServerClock serverClock = new ServerClock(time);

    private long remainingMillis(long grantedMicros) {
        return Duration.ofNanos(serverClock
                        .validity(grantedMicros, LEASE_MILLIS)
                        .orElseThrow()
                        .remainingNanos(time))
                .toMillis();
    }

    @Test
    void clockIsUnknownBeforeReplyAndAfterReset() {
        assertThat(serverClock.validity(MICROS, LEASE_MILLIS)).isEmpty();
        assertThat(serverClock.isFresh()).isFalse();
        serverClock.learn(ClockReading.now(time), MICROS);
        assertThat(serverClock.isFresh()).isTrue();
        serverClock.forget();
        assertThat(serverClock.validity(MICROS, LEASE_MILLIS)).isEmpty();
    }

    @Test
    void replyFromBeforeResetIsIgnored() {
        ClockReading asked = ClockReading.now(time);
        time.pass(Duration.ofMillis(1));
        serverClock.forget();
        serverClock.learn(asked, MICROS);
        assertThat(serverClock.validity(MICROS, LEASE_MILLIS)).isEmpty();
        serverClock.learn(ClockReading.now(time), MICROS);
        assertThat(serverClock.validity(MICROS, LEASE_MILLIS)).isPresent();
    }

    @Test
    void grantCountsFromServerTime() {
        serverClock.learn(ClockReading.now(time), MICROS);
        time.freeze(Duration.ofSeconds(8));
        assertThat(remainingMillis(MICROS + 1_000_000))
                .as("less 1% of it, and of the second before")
                .isEqualTo(2_888);
        time.freeze(Duration.ofSeconds(3));
        assertThat(remainingMillis(MICROS + 1_000_000)).isNegative();
    }

    @Test
    void driftAllowanceGrowsWithAge() {
        serverClock.learn(ClockReading.now(time), MICROS);
        time.freeze(Duration.ofSeconds(100));
        assertThat(remainingMillis(MICROS + 100_000_000)).isEqualTo(9_898 - 1_000);
        assertThat(serverClock.isFresh()).isFalse();
    }

    @Test
    void serverClockStepBackMakesGrantOlder() {
        serverClock.learn(ClockReading.now(time), MICROS);
        assertThat(remainingMillis(MICROS - 1_000_000)).isEqualTo(9_898 - 1_010);
        assertThat(remainingMillis(MICROS - 3_600_000_000L)).isNegative();
        assertThat(remainingMillis(Long.MIN_VALUE + MICROS)).isNegative();
    }

    @Test
    void serverClockStepForwardMakesGrantNoYoungerThanNow() {
        serverClock.learn(ClockReading.now(time), MICROS);
        time.freeze(Duration.ofSeconds(1));
        assertThat(remainingMillis(MICROS + 3_600_000_000L)).isEqualTo(9_898);
        assertThat(remainingMillis(Long.MAX_VALUE)).isEqualTo(9_898);
    }

    @Test
    void suspendedTimeCounts() {
        serverClock.learn(ClockReading.now(time), MICROS);
        time.suspend(Duration.ofSeconds(9));
        assertThat(remainingMillis(MICROS)).isEqualTo(898);
    }

    @Test
    void endlessGrantIsNeverLate() {
        serverClock.learn(ClockReading.now(time), MICROS);
        time.freeze(Duration.ofHours(1));
        assertThat(serverClock.validity(MICROS, 0).orElseThrow().endless()).isTrue();
    }
}
