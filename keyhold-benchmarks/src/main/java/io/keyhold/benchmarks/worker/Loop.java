package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.statistics.LatencyHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** One round of a {@link LoopPlan} in one JVM. Only what happens between {@link #measure} and {@link #halt} counts. */
public final class Loop {
    private static final long PATIENCE_MILLIS = 20_000;

    private final LoopPlan plan;
    private final List<LoopThread> threads = new ArrayList<>();
    private final List<Guard> guards = new ArrayList<>();
    private volatile boolean measuring;
    private volatile boolean ending;
    private long begin;
    private long end;

    /** Nothing runs yet. */
    public Loop(Contender contender, LoopPlan plan, String key) {
        this.plan = plan;
        Target target = plan.target();
        Guard shared = new Guard(target.capacity());
        for (int number = 0; number < plan.threads(); number++) {
            boolean own = plan.keys() == LoopPlan.Keys.OWN;
            Guard guard = own ? new Guard(target.capacity()) : shared;
            guards.add(guard);
            Supplier<Entrance> entrances = target.entrances(contender, own ? key + ":" + number : key, number);
            threads.add(new LoopThread("loop-" + number, entrances, guard, this));
        }
    }

    /** Lets the threads run. */
    public void start() {
        threads.forEach(Thread::start);
    }

    /** From now on it counts. */
    public void measure() {
        begin = System.nanoTime();
        measuring = true;
    }

    /** From now on it does not count any more, and goes on. */
    public void halt() {
        measuring = false;
        end = System.nanoTime();
    }

    /**
     * Ends all threads. One that waits for what others have is interrupted: its turn may be far away. With a key of its own it
     * will be done in a moment, and an interrupt would only disturb.
     */
    public LoopResult end() throws InterruptedException {
        ending = true;
        if (plan.keys() == LoopPlan.Keys.ONE) {
            threads.forEach(LoopThread::endWait);
        }
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        for (LoopThread thread : threads) {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            Throwable failure = thread.failure();
            if (failure != null) {
                throw new IllegalStateException(thread.getName() + " failed: " + failure, failure);
            }
            if (thread.isAlive()) {
                throw new IllegalStateException(
                        thread.getName() + " did not end within " + PATIENCE_MILLIS + " ms", where(thread));
            }
        }
        return result();
    }

    /** What it is doing, for the log. */
    private static Throwable where(Thread thread) {
        Throwable where = new Throwable(thread.getName() + " is here");
        where.setStackTrace(thread.getStackTrace());
        return where;
    }

    private LoopResult result() {
        LatencyHistogram latencies = new LatencyHistogram();
        threads.forEach(thread -> latencies.add(thread.latencies()));
        return new LoopResult(
                threads.stream().mapToLong(LoopThread::measuredHolds).sum(),
                end - begin,
                threads.stream().mapToLong(LoopThread::measuredHolds).min().orElse(0),
                threads.stream().mapToLong(LoopThread::measuredHolds).max().orElse(0),
                violations(),
                latencies);
    }

    private long violations() {
        if (plan.keys() == LoopPlan.Keys.ONE) {
            return guards.get(0)
                    .violations(
                            threads.stream().mapToLong(LoopThread::entriesAlone).sum());
        }
        long violations = 0;
        for (int number = 0; number < threads.size(); number++) {
            violations += guards.get(number).violations(threads.get(number).entriesAlone());
        }
        return violations;
    }

    LoopPlan plan() {
        return plan;
    }

    boolean isMeasuring() {
        return measuring;
    }

    boolean isEnding() {
        return ending;
    }
}
