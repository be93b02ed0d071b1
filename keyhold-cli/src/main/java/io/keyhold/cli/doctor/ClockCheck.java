package io.keyhold.cli.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether the server's clock tells the same time as this machine's, and runs at the same speed. Locks need only the speed, to
 * within one percent: a lease is counted on both sides. The time itself matters where fencing tokens come from it, after
 * a server has lost its counters, and on a quorum, whose vote takes one round only if clocks agree.
 */
final class ClockCheck implements Check {

    private static final int QUESTIONS = 15;
    private static final Duration BETWEEN = Duration.ofMillis(1_200);
    private static final double MOST_OFFSET_SECONDS = 1;

    /** What Keyhold allows for, and a fifth of it. */
    private static final double MOST_DRIFT = 0.01;

    private static final double MUCH_DRIFT = 0.002;

    private final Server server;

    ClockCheck(Server server) {
        this.server = server;
    }

    @Override
    public String name() {
        return "clock";
    }

    /**
     * What was seen of the server's clock at one moment of this machine's monotonic clock.
     *
     * @param localNanos that moment, the middle of the question
     * @param serverMicros what the server answered
     * @param uncertainNanos by how much it may be wrong: half of how long the question took
     * @param offsetMicros how far the server is ahead of this machine's wall clock
     */
    private record Reading(long localNanos, long serverMicros, long uncertainNanos, long offsetMicros) {}

    @Override
    public Finding examine() {
        Reading first = best();
        pause();
        Reading second = best();
        double offset = second.offsetMicros() / 1e6;
        double local = second.localNanos() - first.localNanos();
        double drift = (second.serverMicros() - first.serverMicros()) * 1e3 / local - 1;
        double doubt = (first.uncertainNanos() + second.uncertainNanos()) / local;
        // What is certain, at least: a slow network must not look like a bad clock.
        double certain = Math.max(0, Math.abs(drift) - doubt);
        String seen = String.format(
                Locale.ROOT,
                "%+.3f s from this machine's, drift %+.2f %% (give or take %.2f)",
                offset,
                drift * 100,
                doubt * 100);
        if (certain > MOST_DRIFT) {
            return Finding.fail(
                    this,
                    seen,
                    "The clocks do not run at the same speed to within 1 %: a lease may end at the server before its holder"
                            + " thinks so, and a second holder gets in.",
                    "Find out which clock is wrong: one that is being set right in large steps, or a starved virtual machine.");
        }
        if (certain > MUCH_DRIFT || Math.abs(offset) > MOST_OFFSET_SECONDS) {
            return Finding.warn(
                    this,
                    seen,
                    "Leases do not depend on the time of day, but fencing tokens do after the server has lost its data; a"
                            + " quorum needs a second round of votes; and ages in keyhold ls are wrong.",
                    "Keep both clocks in step with NTP.");
        }
        return Finding.ok(this, seen);
    }

    private static void pause() {
        long end = System.nanoTime() + BETWEEN.toNanos();
        // It may come back early.
        for (long left = BETWEEN.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** The answer that came back the fastest: it says the most. */
    private Reading best() {
        Reading best = read();
        for (int i = 1; i < QUESTIONS; i++) {
            Reading next = read();
            best = next.uncertainNanos() < best.uncertainNanos() ? next : best;
        }
        return best;
    }

    private Reading read() {
        // Everything between the two readings of the monotonic clock counts as doubt, a stall of this process too.
        long before = System.nanoTime();
        long wallBefore = System.currentTimeMillis();
        List<?> time = (List<?>) Objects.requireNonNull(server.call("TIME"), "TIME");
        long took = System.nanoTime() - before;
        long serverMicros =
                Long.parseLong(String.valueOf(time.get(0))) * 1_000_000 + Long.parseLong(String.valueOf(time.get(1)));
        long localMicros = wallBefore * 1_000 + took / 2_000;
        return new Reading(before + took / 2, serverMicros, took / 2, serverMicros - localMicros);
    }
}
