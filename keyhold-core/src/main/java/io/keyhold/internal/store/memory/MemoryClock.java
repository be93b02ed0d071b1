package io.keyhold.internal.store.memory;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.LockValue;
import java.time.Duration;

/**
 * The time and the fencing counter of a {@link MemoryStore}, under its guard: one counter for all keys, so that nothing is kept for
 * each of them.
 */
final class MemoryClock {

    private final KeyholdClock clock;
    private long lastFencingToken;

    MemoryClock(KeyholdClock clock) {
        this.clock = clock;
    }

    /** Reads the clock by which holds end. */
    long nanos() {
        return clock.monotonicNanos();
    }

    /** Reads the same clock for a client: a wall clock that is set must not make a grant seem younger than it is. */
    long micros() {
        return nanos() / 1000;
    }

    long wallMicros() {
        return clock.wallMillis() * 1000;
    }

    /** Returns the end of a hold that begins now. */
    MemoryEnd end(long leaseMillis) {
        return new MemoryEnd(
                leaseMillis == AcquireRequest.NO_EXPIRY,
                nanos() + Duration.ofMillis(leaseMillis).toNanos());
    }

    /** Returns what is written of a grant to this token, with the next fencing token. */
    LockValue grant(String token) {
        long now = wallMicros();
        return new LockValue(token, next(now), now);
    }

    /** Returns the next fencing token, not below this number. */
    long next(long atLeast) {
        lastFencingToken = LockValue.next(lastFencingToken, atLeast);
        return lastFencingToken;
    }

    /** Makes later tokens larger than this number. */
    void raise(long number) {
        lastFencingToken = Math.max(lastFencingToken, number);
    }
}
