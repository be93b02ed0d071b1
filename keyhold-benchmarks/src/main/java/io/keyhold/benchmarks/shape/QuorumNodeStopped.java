package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.RedisServer;
import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.Family;
import io.keyhold.benchmarks.contender.Primitive;
import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.Target;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The cost of a lock on a quorum while one of its servers does not reply. */
final class QuorumNodeStopped implements Shape {
    private static final int ALL_UP = 0;
    private static final int ONE_STOPPED = 1;

    private static final Duration QUIET = Duration.ofMillis(50);
    private static final int CHECKS = 100;

    private final LoopPlan plan =
            new LoopPlan(1, LoopPlan.Keys.OWN, LoopPlan.Timed.ACQUIRE_AND_RELEASE, Target.QUORUM_LOCK);

    private int stops;

    @Override
    public String id() {
        return "quorum-one-stopped";
    }

    @Override
    public String title() {
        return "Own key on five servers, one of them stopped";
    }

    @Override
    public String description() {
        return "One thread acquires and releases a lock on five independent servers, without contention. In each round"
                + " all servers are up, then one is stopped (SIGSTOP: its connections stay open, and it does not reply),"
                + " another one in each round, then all are up again. The result is the mean time of acquire and release"
                + " together while one is stopped, as a multiple of that with all up. Latency is that while one is"
                + " stopped.";
    }

    @Override
    public Metric metric() {
        return Metric.SLOWDOWN;
    }

    @Override
    public Primitive primitive() {
        return Primitive.QUORUM_LOCK;
    }

    @Override
    public int jvms() {
        return 1;
    }

    @Override
    public Optional<String> exclusion(Contender contender) {
        return contender.family() == Family.KEYHOLD ? Optional.empty() : Optional.of(Contender.KEYHOLD_ONLY);
    }

    /** The whole time for each of the two. The warm-up is longer, or the first part would pay for the compilation. */
    @Override
    public Effort effort(Effort requested) {
        return new Effort(
                requested.rounds(),
                requested.measured().multipliedBy(2),
                requested.warmUp().multipliedBy(2));
    }

    @Override
    public void warmUp(Workers workers, Duration time) throws InterruptedException {
        measure(workers, time);
    }

    /** With all servers up before and after, so that other load on the machine affects both alike. */
    @Override
    public Measurement measure(Workers workers, Duration time) throws InterruptedException {
        Measurement before = loop(workers, time.dividedBy(4));
        Measurement during = withOneStopped(workers, time.dividedBy(2));
        Measurement after = loop(workers, time.dividedBy(4));
        Part up = Part.of(before).and(Part.of(after));
        Part stopped = Part.of(during);
        return new Measurement(
                stopped.rate() == 0 ? Double.NaN : up.rate() / stopped.rate(),
                during.commandsPerHold(),
                during.fewest(),
                during.most(),
                before.faults() + during.faults() + after.faults(),
                during.latencies(),
                Map.of(ALL_UP, up, ONE_STOPPED, stopped),
                Optional.empty());
    }

    private Measurement withOneStopped(Workers workers, Duration time) throws InterruptedException {
        RedisServer server = workers.servers().get(stops++ % workers.servers().size());
        server.pause();
        try {
            return loop(workers, time);
        } finally {
            server.resume();
            awaitQuiet(server);
        }
    }

    /** Waits until the late replies of the server that was stopped are dealt with, which belongs to neither time. */
    private static void awaitQuiet(RedisServer server) throws InterruptedException {
        long before = server.commandsRun();
        for (int check = 0; check < CHECKS; check++) {
            Thread.sleep(QUIET.toMillis());
            long now = server.commandsRun();
            if (now == before) {
                return;
            }
            before = now;
        }
        throw new IllegalStateException("the server that was stopped is still busy long after it was resumed");
    }

    private Measurement loop(Workers workers, Duration time) throws InterruptedException {
        return LoopRound.run(workers.servers(), workers.all(), plan, workers.freshKey(), time);
    }
}
