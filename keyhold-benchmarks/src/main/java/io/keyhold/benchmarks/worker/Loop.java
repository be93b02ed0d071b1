package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.LockClient;
import io.keyhold.benchmarks.statistics.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** One round of a {@link LoopPlan} in one JVM. Only holds between {@link #measure} and {@link #halt} count. */
public final class Loop {
    private static final long TIMEOUT_MILLIS = 20_000;

    private final LoopPlan plan;
    private final List<LoopThread> threads = new ArrayList<>();
    private final List<ExclusionCheck> checks = new ArrayList<>();
    private volatile boolean measuring;
    private volatile boolean ending;
    private long begin;
    private long end;

    /** Creates the threads, which do not run yet. */
    public Loop(LockClient client, LoopPlan plan, String key) {
        this.plan = plan;
        Target target = plan.target();
        ExclusionCheck shared = new ExclusionCheck(target.capacity());
        for (int number = 0; number < plan.threads(); number++) {
            boolean own = plan.keys() == LoopPlan.Keys.OWN;
            ExclusionCheck check = own ? new ExclusionCheck(target.capacity()) : shared;
            checks.add(check);
            Supplier<WeightedHandle> handles = target.handles(client, own ? key + ":" + number : key, number);
            threads.add(new LoopThread("loop-" + number, handles, check, this));
        }
    }

    /** Starts the threads. */
    public void start() {
        threads.forEach(Thread::start);
    }

    /** Begins to count. */
    public void measure() {
        begin = System.nanoTime();
        measuring = true;
    }

    /** Stops counting; the threads continue. */
    public void halt() {
        measuring = false;
        end = System.nanoTime();
    }

    /**
     * Ends all threads. A thread that waits for a shared key is interrupted: the lock may be far away. One with its own key
     * is about to end anyway, and an interrupt would only disturb it.
     */
    public LoopResult end() throws InterruptedException {
        ending = true;
        if (plan.keys() == LoopPlan.Keys.ONE) {
            threads.forEach(LoopThread::endWait);
        }
        long deadline = System.nanoTime() + TIMEOUT_MILLIS * 1_000_000;
        for (LoopThread thread : threads) {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            Throwable failure = thread.failure();
            if (failure != null) {
                throw new IllegalStateException(thread.getName() + " failed: " + failure, failure);
            }
            if (thread.isAlive()) {
                throw new IllegalStateException(
                        thread.getName() + " did not end within " + TIMEOUT_MILLIS + " ms", stackOf(thread));
            }
        }
        return result();
    }

    private static Throwable stackOf(Thread thread) {
        Throwable stack = new Throwable(thread.getName() + " is here");
        stack.setStackTrace(thread.getStackTrace());
        return stack;
    }

    private LoopResult result() {
        Latencies latencies = new Latencies();
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
            return checks.get(0)
                    .violations(threads.stream()
                            .mapToLong(LoopThread::exclusiveHolds)
                            .sum());
        }
        long violations = 0;
        for (int number = 0; number < threads.size(); number++) {
            violations += checks.get(number).violations(threads.get(number).exclusiveHolds());
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
