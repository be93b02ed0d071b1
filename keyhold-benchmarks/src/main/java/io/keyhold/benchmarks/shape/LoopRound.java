package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.RedisServers;
import io.keyhold.benchmarks.statistics.Latencies;
import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.LoopResult;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs one loop in several JVMs at once. */
final class LoopRound {

    /** The time until all threads run. */
    private static final Duration RAMP_UP = Duration.ofMillis(100);

    private LoopRound() {}

    /** Measures after all threads have started and before the first ends, on the servers and in all JVMs within a millisecond. */
    static Measurement run(
            RedisServers servers, List<WorkerProcess> processes, LoopPlan plan, String key, Duration time)
            throws InterruptedException {
        for (WorkerProcess process : processes) {
            process.loop(plan, key);
        }
        Thread.sleep(RAMP_UP.toMillis());
        Workers.callAll(processes, "measure", "measuring");
        long before = servers.commandsRun();
        Thread.sleep(time.toMillis());
        long after = servers.commandsRun();
        Workers.callAll(processes, "halt", "halted");
        processes.forEach(process -> process.send("end"));
        List<LoopResult> results = new ArrayList<>();
        for (WorkerProcess process : processes) {
            results.add(process.loopResult());
        }
        return sum(results, after - before);
    }

    private static Measurement sum(List<LoopResult> results, long commands) {
        Latencies latencies = new Latencies();
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
