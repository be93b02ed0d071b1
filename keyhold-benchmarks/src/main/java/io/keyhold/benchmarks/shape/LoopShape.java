package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.statistics.LatencyHistogram;
import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.LoopResult;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Threads that take and release as fast as they can, with nothing to do in between. */
abstract class LoopShape implements Shape {

    /** Until all threads are at work. */
    private static final Duration RAMP_UP = Duration.ofMillis(100);

    private final LoopPlan plan;
    private final int jvms;

    LoopShape(int jvms, LoopPlan plan) {
        this.jvms = jvms;
        this.plan = plan;
    }

    @Override
    public final Metric metric() {
        return Metric.HOLDS_PER_SECOND;
    }

    @Override
    public final int jvms() {
        return jvms;
    }

    @Override
    public final Optional<String> skips(Entrant entrant) {
        return plan.keys() == LoopPlan.Keys.OWN ? entrant.sameWithoutWaiters() : Optional.empty();
    }

    @Override
    public final void warmUp(Team team, Duration time) throws InterruptedException {
        measure(team, time);
    }

    /** The window opens after the start and closes before the end, on the server and in all JVMs within a millisecond. */
    @Override
    public final Measurement measure(Team team, Duration time) throws InterruptedException {
        String key = team.freshKey();
        for (WorkerProcess worker : team.workers()) {
            worker.loop(plan, key);
        }
        Thread.sleep(RAMP_UP.toMillis());
        team.all("measure", "measuring");
        long before = team.server().commandsRun();
        Thread.sleep(time.toMillis());
        long after = team.server().commandsRun();
        team.all("halt", "halted");
        team.workers().forEach(worker -> worker.order("end"));
        List<LoopResult> results = new ArrayList<>();
        for (WorkerProcess worker : team.workers()) {
            results.add(worker.loopResult());
        }
        return sum(results, after - before);
    }

    private static Measurement sum(List<LoopResult> results, long commands) {
        LatencyHistogram latencies = new LatencyHistogram();
        results.forEach(result -> latencies.add(result.latencies()));
        long holds = results.stream().mapToLong(LoopResult::holds).sum();
        return new Measurement(
                results.stream().mapToDouble(LoopResult::rate).sum(),
                holds == 0 ? Double.NaN : (double) commands / holds,
                results.stream().mapToLong(LoopResult::fewest).min().orElse(0),
                results.stream().mapToLong(LoopResult::most).max().orElse(0),
                results.stream().mapToLong(LoopResult::violations).sum(),
                latencies);
    }
}
