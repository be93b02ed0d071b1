package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.contender.Family;
import io.keyhold.benchmarks.contender.Primitive;
import io.keyhold.benchmarks.statistics.LatencyHistogram;
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

/** What a permit costs among many other holders. */
final class AmongHolders implements Shape {
    private static final List<Integer> OTHERS = List.of(100, 1_000, 10_000, 100_000);
    private static final int PERMITS = 200_000;

    /** So many are taken well within the time that an answer may take, on a busy machine too. */
    private static final int AT_A_TIME = 5_000;

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
        return "One JVM holds 100, 1,000, 10,000 and 100,000 permits of four semaphores, with long leases that nobody renews, while"
                + " one thread of another takes and releases one more permit, free all the time, of each of them in turn, back and forth. What"
                + " counts is the rate among the most holders, as a share of that among the fewest: it falls with the logarithm"
                + " if nothing looks at all holders. Latency is that of acquire and release together, on all four.";
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
    public Optional<String> skips(Entrant entrant) {
        return entrant.family() == Family.KEYHOLD ? Optional.empty() : Optional.of("this is about Keyhold alone");
    }

    /** Half of the time for each of the four. The warm-up is longer: the first visit would pay for what the compiler has yet to do. */
    @Override
    public Effort effort(Effort wish) {
        Duration round = wish.measured().multipliedBy(OTHERS.size()).dividedBy(2);
        return new Effort(wish.rounds(), round, wish.warmUp().multipliedBy(2));
    }

    @Override
    public void warmUp(Team team, Duration time) throws InterruptedException {
        WorkerProcess holder = team.workers().get(0);
        for (int others : OTHERS) {
            for (int taken = 0; taken < others; taken += AT_A_TIME) {
                int some = Math.min(AT_A_TIME, others - taken);
                holder.order("occupy " + PERMITS + " " + some + " " + key(team, others));
                holder.await("occupied");
            }
        }
        visit(team, OTHERS.get(0), time);
        measure(team, time);
    }

    /** From the fewest to the most and back again: what the machine does meanwhile hits all of them alike. */
    @Override
    public Measurement measure(Team team, Duration time) throws InterruptedException {
        List<Integer> order = new ArrayList<>(OTHERS);
        List<Integer> back = new ArrayList<>(OTHERS);
        Collections.reverse(back);
        order.addAll(back);
        Map<Integer, Part> parts = new LinkedHashMap<>();
        LatencyHistogram latencies = new LatencyHistogram();
        double commands = 0;
        long faults = 0;
        for (int others : order) {
            Measurement visit = visit(team, others, time.dividedBy(order.size()));
            parts.merge(others, Part.of(visit), Part::and);
            latencies.add(visit.latencies());
            commands += visit.commandsPerHold() / order.size();
            faults += visit.faults();
        }
        double fewest = rate(parts, OTHERS.get(0));
        double most = rate(parts, OTHERS.get(OTHERS.size() - 1));
        return new Measurement(
                fewest == 0 ? Double.NaN : most / fewest, commands, 0, 0, faults, latencies, Map.copyOf(parts));
    }

    private static double rate(Map<Integer, Part> parts, int others) {
        return Objects.requireNonNull(parts.get(others)).rate();
    }

    private Measurement visit(Team team, int others, Duration time) throws InterruptedException {
        return LoopRound.run(team.servers(), team.workers().subList(1, 2), plan, key(team, others), time);
    }

    /** The same in all rounds: filling it is what takes long. */
    private static String key(Team team, int others) {
        return team.lastingKey("holders-" + others);
    }
}
