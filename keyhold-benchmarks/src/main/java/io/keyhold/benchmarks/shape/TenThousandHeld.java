package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.RedisServer;
import io.keyhold.benchmarks.contender.Entrant;
import io.keyhold.benchmarks.statistics.LatencyHistogram;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.time.Duration;
import java.util.Optional;

/** What renewal costs. */
final class TenThousandHeld implements Shape {
    private static final int LOCKS = 10_000;
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Long enough for every lease to have run out, had it not been renewed. */
    private static final Duration LEAST_TIME = LEASE.plusSeconds(1);

    @Override
    public String id() {
        return "held-10000";
    }

    @Override
    public String title() {
        return "10,000 locks held and renewed by one JVM";
    }

    @Override
    public String description() {
        return "One JVM takes 10,000 locks with a lease of 3 s and keeps them for longer than that: how many commands a second"
                + " the server runs to keep them all, and whether all are still there at the end.";
    }

    @Override
    public Metric metric() {
        return Metric.COMMANDS_PER_SECOND;
    }

    @Override
    public int jvms() {
        return 1;
    }

    @Override
    public Optional<Duration> renewedLease() {
        return Optional.of(LEASE);
    }

    @Override
    public Optional<String> skips(Entrant entrant) {
        return entrant.noRenewalOfItsOwn();
    }

    /** One round: ten thousand timers are an average by themselves, and taking the locks is what costs time. */
    @Override
    public Effort effort(Effort wish) {
        Duration time = wish.measured().compareTo(LEAST_TIME) < 0 ? LEAST_TIME : wish.measured();
        return new Effort(1, time, Duration.ZERO);
    }

    @Override
    public void warmUp(Team team, Duration time) {
        // Taking the locks warms it up.
    }

    @Override
    public Measurement measure(Team team, Duration time) throws InterruptedException {
        String key = team.freshKey();
        RedisServer server = team.servers().get(0);
        long expiredBefore = server.keysExpired();
        WorkerProcess worker = team.workers().get(0);
        worker.order("hold " + LOCKS + " " + key);
        worker.await("holding");
        long before = server.commandsRun();
        long begin = System.nanoTime();
        Thread.sleep(time.toMillis());
        long commands = server.commandsRun() - before;
        double seconds = (System.nanoTime() - begin) / 1e9;
        long missing = LOCKS - server.countExisting(team.entrant().redisKeys(key, LOCKS));
        long lost = Math.max(missing, server.keysExpired() - expiredBefore);
        // It would go on renewing while the others are measured, and its keys would run out then.
        team.close();
        server.sweep();
        return new Measurement(commands / seconds, (double) commands / LOCKS, 0, 0, lost, new LatencyHistogram());
    }
}
