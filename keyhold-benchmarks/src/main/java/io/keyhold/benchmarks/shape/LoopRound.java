package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.RedisServers;
import io.keyhold.benchmarks.statistics.LatencyHistogram;
import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.LoopResult;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One loop in some JVMs at once, and what came of it. */
final class LoopRound {

    /** Until all threads are at work. */
    private static final Duration RAMP_UP = Duration.ofMillis(100);

    private LoopRound() {}

    /** The window opens after the start and closes before the end, on the servers and in all JVMs within a millisecond. */
    static Measurement run(RedisServers servers, List<WorkerProcess> workers, LoopPlan plan, String key, Duration time)
            throws InterruptedException {
        for (WorkerProcess worker : workers) {
            worker.loop(plan, key);
        }
        Thread.sleep(RAMP_UP.toMillis());
        Team.all(workers, "measure", "measuring");
        long before = servers.commandsRun();
        Thread.sleep(time.toMillis());
        long after = servers.commandsRun();
        Team.all(workers, "halt", "halted");
        workers.forEach(worker -> worker.order("end"));
        List<LoopResult> results = new ArrayList<>();
        for (WorkerProcess worker : workers) {
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
