package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.RedisServer;
import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.contender.Family;
import io.keyhold.benchmarks.contender.Primitive;
import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.Target;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What a lock on a quorum costs while one of its servers says nothing. */
final class QuorumOneStopped implements Shape {
    private static final int ALL_UP = 0;
    private static final int ONE_STOPPED = 1;

    private static final Duration QUIET = Duration.ofMillis(50);
    private static final int TRIES = 100;

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
        return "One thread takes and releases a lock on five independent servers that nobody else wants. In each round all servers are"
                + " up, then one is stopped (SIGSTOP: its connections stay open, and it says nothing), another one in each round, then"
                + " all are up again. What counts is the mean time of acquire and release together while one is stopped, as a multiple of that with"
                + " all up. Latency is that while one is stopped.";
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
    public Optional<String> skips(Entrant entrant) {
        return entrant.family() == Family.KEYHOLD ? Optional.empty() : Optional.of("this is about Keyhold alone");
    }

    /** The whole time for each of the two. The warm-up is longer: the first visit would pay for what the compiler has yet to do. */
    @Override
    public Effort effort(Effort wish) {
        return new Effort(
                wish.rounds(), wish.measured().multipliedBy(2), wish.warmUp().multipliedBy(2));
    }

    @Override
    public void warmUp(Team team, Duration time) throws InterruptedException {
        measure(team, time);
    }

    /** With all up before and after: what the machine does meanwhile hits both alike. */
    @Override
    public Measurement measure(Team team, Duration time) throws InterruptedException {
        Measurement before = visit(team, time.dividedBy(4));
        Measurement during = withOneStopped(team, time.dividedBy(2));
        Measurement after = visit(team, time.dividedBy(4));
        Part up = Part.of(before).and(Part.of(after));
        Part stopped = Part.of(during);
        return new Measurement(
                stopped.rate() == 0 ? Double.NaN : up.rate() / stopped.rate(),
                during.commandsPerHold(),
                during.fewest(),
                during.most(),
                before.faults() + during.faults() + after.faults(),
                during.latencies(),
                Map.of(ALL_UP, up, ONE_STOPPED, stopped));
    }

    private Measurement withOneStopped(Team team, Duration time) throws InterruptedException {
        RedisServer server = team.servers().get(stops++ % team.servers().size());
        server.stop();
        try {
            return visit(team, time);
        } finally {
            server.goOn();
            awaitQuiet(server);
        }
    }

    /** What is done about the late answers of the server that was stopped belongs to neither time. */
    private static void awaitQuiet(RedisServer server) throws InterruptedException {
        long before = server.commandsRun();
        for (int tried = 0; tried < TRIES; tried++) {
            Thread.sleep(QUIET.toMillis());
            long now = server.commandsRun();
            if (now == before) {
                return;
            }
            before = now;
        }
        throw new IllegalStateException("the server that was stopped is still busy long after it went on");
    }

    private Measurement visit(Team team, Duration time) throws InterruptedException {
        return LoopRound.run(team.servers(), team.workers(), plan, team.freshKey(), time);
    }
}
