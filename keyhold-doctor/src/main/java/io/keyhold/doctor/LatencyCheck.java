package io.keyhold.doctor;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Measures the latency of the server. A lease that cannot be renewed in time is lost. */
final class LatencyCheck extends ServerCheck {

    private static final int SAMPLES = 300;
    private static final Duration TIME_LIMIT = Duration.ofSeconds(2);

    /** A quorum waits no longer than this for a node. */
    private static final double SLOW_MILLIS = 50;

    /** A quarter of the default command timeout. */
    private static final double TOO_SLOW_MILLIS = 500;

    private final LongSupplier nanoTime;

    /** Measures with this clock, which a test can control. */
    LatencyCheck(Server server, LongSupplier nanoTime) {
        super("latency", server);
        this.nanoTime = nanoTime;
    }

    @Override
    Finding run() {
        long[] nanos = new long[SAMPLES];
        int count = 0;
        long start = nanoTime.getAsLong();
        while (count < SAMPLES && nanoTime.getAsLong() - start < TIME_LIMIT.toNanos()) {
            long before = nanoTime.getAsLong();
            server.call("PING");
            nanos[count++] = nanoTime.getAsLong() - before;
        }
        Arrays.sort(nanos, 0, count);
        double p99 = percentile(nanos, count, 99);
        String seen = String.format(
                Locale.ROOT,
                "median %.2f ms, 99th percentile %.2f ms, worst %.2f ms of %d",
                percentile(nanos, count, 50),
                p99,
                percentile(nanos, count, 100),
                count);
        String cure =
                "Check SLOWLOG GET and LATENCY DOCTOR on the server, the load of both machines, and the network between"
                        + " them.";
        if (p99 >= TOO_SLOW_MILLIS) {
            return fail(
                    seen, "Commands come close to their timeout: acquiring may fail, and renewals may be late.", cure);
        }
        if (p99 >= SLOW_MILLIS) {
            return warn(seen, "Short leases may be lost, and a quorum may not wait for this server.", cure);
        }
        return ok(seen);
    }

    private static double percentile(long[] sorted, int count, int percent) {
        int rank = (int) Math.ceil(percent / 100.0 * count);
        return sorted[Math.max(0, rank - 1)] / 1e6;
    }
}
