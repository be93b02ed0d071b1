package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.Family;
import io.keyhold.benchmarks.contender.Primitive;
import io.keyhold.benchmarks.statistics.Latencies;
import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.Target;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The cost of a permit of a semaphore with many holders. */
final class SemaphoreHolders implements Shape {
    private static final List<Integer> OTHERS = List.of(100, 1_000, 10_000, 100_000);
    private static final int PERMITS = 200_000;

    /** Few enough for the timeout of a reply, also on a busy machine. */
    private static final int PERMITS_PER_COMMAND = 5_000;

    private static final Target TARGET = Target.semaphore(PERMITS);

    private final LoopPlan plan = new LoopPlan(1, LoopPlan.Keys.ONE, LoopPlan.Timed.ACQUIRE_AND_RELEASE, TARGET);

    @Override
    public String id() {
        return "holders-100000";
    }

    @Override
    public String title() {
        return "One semaphore with up to 100,000 holders";
    }

    @Override
    public String description() {
        return "One JVM holds 100, 1,000, 10,000 and 100,000 permits of four semaphores, with long leases that are not"
                + " renewed. One thread of another JVM acquires and releases one more permit, which is free, of each of"
                + " them in turn. The result is the rate with the most holders as a share of that with the fewest; a cost"
                + " that grows with the logarithm keeps it near 1. Latency is that of acquire and release together, on all"
                + " four.";
    }

    @Override
    public Metric metric() {
        return Metric.RATE_KEPT;
    }

    @Override
    public Primitive primitive() {
        return Primitive.SEMAPHORE;
    }

    @Override
    public int jvms() {
        return 2;
    }

    @Override
    public Duration preparation() {
        return Duration.ofSeconds(15);
    }

    @Override
    public Optional<String> exclusion(Contender contender) {
        return contender.family() == Family.KEYHOLD ? Optional.empty() : Optional.of(Contender.KEYHOLD_ONLY);
    }

    /** Half of the time for each of the four. The warm-up is longer, or the first part would pay for the compilation. */
    @Override
    public Effort effort(Effort requested) {
        Duration round = requested.measured().multipliedBy(OTHERS.size()).dividedBy(2);
        return new Effort(requested.rounds(), round, requested.warmUp().multipliedBy(2));
    }

    @Override
    public void warmUp(Workers workers, Duration time) throws InterruptedException {
        WorkerProcess holder = workers.get(0);
        for (int others : OTHERS) {
            for (int taken = 0; taken < others; taken += PERMITS_PER_COMMAND) {
                int some = Math.min(PERMITS_PER_COMMAND, others - taken);
                holder.send("occupy " + PERMITS + " " + some + " " + key(workers, others));
                holder.await("occupied");
            }
        }
        loop(workers, OTHERS.get(0), time);
        measure(workers, time);
    }

    /** From the fewest to the most and back again, so that other load on the machine affects all of them alike. */
    @Override
    public Measurement measure(Workers workers, Duration time) throws InterruptedException {
        List<Integer> order = new ArrayList<>(OTHERS);
        List<Integer> back = new ArrayList<>(OTHERS);
        Collections.reverse(back);
        order.addAll(back);
        Map<Integer, Part> parts = new LinkedHashMap<>();
        Latencies latencies = new Latencies();
        double commands = 0;
        long faults = 0;
        for (int others : order) {
            Measurement part = loop(workers, others, time.dividedBy(order.size()));
            parts.merge(others, Part.of(part), Part::and);
            latencies.add(part.latencies());
            commands += part.commandsPerHold() / order.size();
            faults += part.faults();
        }
        double fewest = rate(parts, OTHERS.get(0));
        double most = rate(parts, OTHERS.get(OTHERS.size() - 1));
        return new Measurement(
                fewest == 0 ? Double.NaN : most / fewest,
                commands,
                0,
                0,
                faults,
                latencies,
                Map.copyOf(parts),
                Optional.empty());
    }

    private static double rate(Map<Integer, Part> parts, int others) {
        return Objects.requireNonNull(parts.get(others)).rate();
    }

    private Measurement loop(Workers workers, int others, Duration time) throws InterruptedException {
        return LoopRound.run(workers.servers(), workers.all().subList(1, 2), plan, key(workers, others), time);
    }

    /** Returns the same key in all rounds, because it takes long to acquire the permits. */
    private static String key(Workers workers, int others) {
        return workers.lastingKey("holders-" + others);
    }
}
