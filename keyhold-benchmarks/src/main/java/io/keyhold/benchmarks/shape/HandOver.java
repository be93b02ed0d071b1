package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.statistics.LatencyHistogram;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/** How long a lock that was released in one process is idle before the waiter in another process is inside. */
final class HandOver implements Shape {

    /** More than the longest pause of any contender that polls, so that a release meets every phase of it. */
    private static final int PAUSE_MILLIS = 110;

    private static final int LEAST_PAUSE_MILLIS = 5;

    private final SplittableRandom random = new SplittableRandom(42);

    @Override
    public String id() {
        return "handover";
    }

    @Override
    public String title() {
        return "Release in one JVM to entry in another";
    }

    @Override
    public String description() {
        return "One JVM holds the lock and another waits; after a random pause of 5 to 115 ms the first one releases. Latency"
                + " is the time from just before the release to the return of the other's acquire; then they change places.";
    }

    @Override
    public Metric metric() {
        return Metric.HANDOVER_MICROSECONDS;
    }

    @Override
    public int jvms() {
        return 2;
    }

    @Override
    public Optional<String> skips(Entrant entrant) {
        return entrant.sameWithoutWaiters();
    }

    @Override
    public void warmUp(Team team, Duration time) throws InterruptedException {
        measure(team, time);
    }

    @Override
    public Measurement measure(Team team, Duration time) throws InterruptedException {
        team.all("baton " + team.freshKey(), "baton");
        WorkerProcess holder = team.workers().get(0);
        WorkerProcess waiter = team.workers().get(1);
        enter(holder);
        holder.await("entered");
        LatencyHistogram latencies = new LatencyHistogram();
        long before = team.servers().commandsRun();
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end || latencies.total() == 0) {
            latencies.record(handOver(holder, waiter));
            WorkerProcess next = waiter;
            waiter = holder;
            holder = next;
        }
        long after = team.servers().commandsRun();
        holder.order("leave");
        holder.await("left");
        double commands = (double) (after - before) / latencies.total();
        return new Measurement(latencies.percentile(50) / 1e3, commands, 0, 0, 0, latencies);
    }

    private long handOver(WorkerProcess holder, WorkerProcess waiter) throws InterruptedException {
        enter(waiter);
        Thread.sleep(LEAST_PAUSE_MILLIS + random.nextInt(PAUSE_MILLIS));
        holder.order("leave");
        long left = time(holder.await("left"));
        long entered = time(waiter.await("entered"));
        return entered - left;
    }

    private static void enter(WorkerProcess worker) throws InterruptedException {
        worker.order("enter");
        worker.await("asking");
    }

    private static long time(String reply) {
        return Long.parseLong(reply.substring(reply.indexOf(' ') + 1));
    }
}
