package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.statistics.Latencies;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/** How long a lock that was released in one process is idle until a waiter in another process has it. */
final class HandOver implements Shape {

    /** Longer than the pause of any contender that polls, so that releases fall on every part of that pause. */
    private static final int PAUSE_MILLIS = 110;

    private static final int LEAST_PAUSE_MILLIS = 5;

    private final SplittableRandom random = new SplittableRandom(42);

    @Override
    public String id() {
        return "handover";
    }

    @Override
    public String title() {
        return "Hand-over from one JVM to another";
    }

    @Override
    public String description() {
        return "One JVM holds the lock and another waits; after a random pause of 5 to 115 ms the holder releases."
                + " Latency is the time from just before the release to the return of the waiter's acquire; then they"
                + " change roles.";
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
    public Optional<String> exclusion(Contender contender) {
        return contender.sameWithoutWaiters();
    }

    @Override
    public void warmUp(Workers workers, Duration time) throws InterruptedException {
        measure(workers, time);
    }

    @Override
    public Measurement measure(Workers workers, Duration time) throws InterruptedException {
        Workers.callAll(workers.all(), "handover " + workers.freshKey(), "prepared");
        WorkerProcess holder = workers.get(0);
        WorkerProcess waiter = workers.get(1);
        acquire(holder);
        holder.await("acquired");
        Latencies latencies = new Latencies();
        long before = workers.servers().commandsRun();
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end || latencies.count() == 0) {
            latencies.record(handOver(holder, waiter));
            WorkerProcess next = waiter;
            waiter = holder;
            holder = next;
        }
        long after = workers.servers().commandsRun();
        holder.send("release");
        holder.await("released");
        double commands = (double) (after - before) / latencies.count();
        return new Measurement(latencies.percentile(50) / 1e3, commands, 0, 0, 0, latencies);
    }

    private long handOver(WorkerProcess holder, WorkerProcess waiter) throws InterruptedException {
        acquire(waiter);
        Thread.sleep(LEAST_PAUSE_MILLIS + random.nextInt(PAUSE_MILLIS));
        holder.send("release");
        long released = time(holder.await("released"));
        long acquired = time(waiter.await("acquired"));
        return acquired - released;
    }

    private static void acquire(WorkerProcess worker) throws InterruptedException {
        worker.send("acquire");
        worker.await("acquiring");
    }

    private static long time(String reply) {
        return Long.parseLong(reply.substring(reply.indexOf(' ') + 1));
    }
}
