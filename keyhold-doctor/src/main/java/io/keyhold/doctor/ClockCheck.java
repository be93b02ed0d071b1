package io.keyhold.doctor;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Compares time and speed of the server's clock with this machine's. Locks need only the same speed, to within one percent, because
 * both sides measure the lease. The time matters for fencing tokens after a server has lost its counters, and on a quorum, which needs
 * a second round of votes if clocks differ.
 */
final class ClockCheck extends ServerCheck {

    private static final int SAMPLES = 15;
    private static final Duration INTERVAL = Duration.ofMillis(1_200);
    private static final double MAX_OFFSET_SECONDS = 1;

    /** The drift that Keyhold allows for. */
    private static final double MAX_DRIFT = 0.01;

    private static final double HIGH_DRIFT = 0.002;

    ClockCheck(Server server) {
        super("clock", server);
    }

    /**
     * One reading of the server's clock.
     *
     * @param localNanos this machine's monotonic clock, in the middle of the call
     * @param serverMicros the server's clock
     * @param uncertainNanos the error bound: half of the duration of the call
     * @param offsetMicros how far the server is ahead of this machine's wall clock
     */
    private record Reading(long localNanos, long serverMicros, long uncertainNanos, long offsetMicros) {}

    @Override
    Finding run() {
        Reading first = best();
        pause();
        Reading second = best();
        double offset = second.offsetMicros() / 1e6;
        double local = second.localNanos() - first.localNanos();
        double drift = (second.serverMicros() - first.serverMicros()) * 1e3 / local - 1;
        double error = (first.uncertainNanos() + second.uncertainNanos()) / local;
        // The least drift within the error bound: a slow network must not look like a bad clock.
        double certain = Math.max(0, Math.abs(drift) - error);
        String seen =
                String.format(Locale.ROOT, "offset %+.3f s, drift %+.2f %% (± %.2f)", offset, drift * 100, error * 100);
        if (certain > MAX_DRIFT) {
            return fail(
                    seen,
                    "The speeds of the clocks differ by more than 1 %: a lease may end on the server before its holder"
                            + " notices, and a second client can acquire the lock.",
                    "Find the wrong clock: it may be adjusted in large steps, or run in an overloaded virtual machine.");
        }
        if (certain > HIGH_DRIFT || Math.abs(offset) > MAX_OFFSET_SECONDS) {
            return warn(
                    seen,
                    "Leases do not depend on the time of day, but fencing tokens do after the server has lost its data; a"
                            + " quorum needs a second round of votes; and times in keyhold ls are wrong.",
                    "Synchronise both clocks with NTP.");
        }
        return ok(seen);
    }

    private static void pause() {
        long end = System.nanoTime() + INTERVAL.toNanos();
        // parkNanos may return early.
        for (long left = INTERVAL.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Returns the fastest of several readings, which has the smallest error. */
    private Reading best() {
        Reading best = read();
        for (int i = 1; i < SAMPLES; i++) {
            Reading next = read();
            best = next.uncertainNanos() < best.uncertainNanos() ? next : best;
        }
        return best;
    }

    private Reading read() {
        // All time between the two readings of the monotonic clock counts as error, including a pause of this process.
        long before = System.nanoTime();
        long wallBefore = System.currentTimeMillis();
        Instant time = server.time();
        long took = System.nanoTime() - before;
        long serverMicros = ChronoUnit.MICROS.between(Instant.EPOCH, time);
        long localMicros = wallBefore * 1_000 + took / 2_000;
        return new Reading(before + took / 2, serverMicros, took / 2, serverMicros - localMicros);
    }
}
