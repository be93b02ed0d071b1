package io.keyhold.cli.doctor;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;

/** How long the server takes to answer. A lease that cannot be renewed in time is lost. */
final class LatencyCheck implements Check {

    private static final int QUESTIONS = 300;
    private static final Duration ENOUGH = Duration.ofSeconds(2);

    /** A quorum waits no longer than that for a node. */
    private static final double SLOW_MILLIS = 50;

    /** A quarter of the usual command timeout. */
    private static final double TOO_SLOW_MILLIS = 500;

    private final Server server;
    private final LongSupplier nanoTime;

    /** By this clock: a test has one that does not depend on how busy its machine is. */
    LatencyCheck(Server server, LongSupplier nanoTime) {
        this.server = server;
        this.nanoTime = nanoTime;
    }

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public Finding examine() {
        long[] nanos = new long[QUESTIONS];
        int asked = 0;
        long start = nanoTime.getAsLong();
        while (asked < QUESTIONS && nanoTime.getAsLong() - start < ENOUGH.toNanos()) {
            long before = nanoTime.getAsLong();
            server.call("PING");
            nanos[asked++] = nanoTime.getAsLong() - before;
        }
        Arrays.sort(nanos, 0, asked);
        double late = percentile(nanos, asked, 99);
        String seen = String.format(
                Locale.ROOT,
                "median %.2f ms, 99th percentile %.2f ms, worst %.2f ms of %d",
                percentile(nanos, asked, 50),
                late,
                percentile(nanos, asked, 100),
                asked);
        String cure =
                "See SLOWLOG GET and LATENCY DOCTOR on the server, look at the load of both machines and at the network"
                        + " between them.";
        if (late >= TOO_SLOW_MILLIS) {
            return Finding.fail(
                    this, seen, "Calls come close to their timeout: locks fail, and renewals may be late.", cure);
        }
        if (late >= SLOW_MILLIS) {
            return Finding.warn(
                    this, seen, "Short leases may be lost, and a quorum may not wait for this server.", cure);
        }
        return Finding.ok(this, seen);
    }

    private static double percentile(long[] sorted, int count, int percent) {
        int rank = (int) Math.ceil(percent / 100.0 * count);
        return sorted[Math.max(0, rank - 1)] / 1e6;
    }
}
