package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.RedisServer;
import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.Family;
import io.keyhold.benchmarks.statistics.Latencies;
import io.keyhold.benchmarks.worker.WorkerProcess;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The cost of renewal: one JVM holds many locks for longer than their lease.
 *
 * @param leases how many locks are held
 * @param lease how long a lock is held without renewal
 * @param keyholdOnly whether other libraries are left out
 */
record RenewedLeases(String id, int leases, Duration lease, boolean keyholdOnly) implements Shape {
    private static final int LOCKS_PER_COMMAND = 5_000;
    private static final int LOCKS_PER_SECOND = 4_000;

    /** Returns the comparison of the libraries. Its leases are short, so that every library renews often enough to be measured. */
    static Shape ofAllLibraries() {
        return new RenewedLeases("held-10000", 10_000, Duration.ofSeconds(3), false);
    }

    /** Returns the shape with Keyhold's default lease, which clients of other libraries cannot keep for this many locks. */
    static Shape ofKeyhold(int leases) {
        return new RenewedLeases("renewal-" + leases, leases, Duration.ofSeconds(30), true);
    }

    @Override
    public String title() {
        return String.format(Locale.ROOT, "%,d leases of %d s renewed by one client", leases, lease.toSeconds());
    }

    @Override
    public String description() {
        return "One client holds the locks for longer than their lease. Measured are the commands per second by which"
                + " the server keeps them, the processor time of the client's JVM as a share of one core, the heap per"
                + " lease (used after a garbage collection, less that before the first lock), and how many leases were"
                + " lost.";
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
        return Optional.of(lease);
    }

    @Override
    public Optional<String> exclusion(Contender contender) {
        return keyholdOnly && contender.family() != Family.KEYHOLD
                ? Optional.of(Contender.KEYHOLD_ONLY)
                : contender.noRenewalOfItsOwn();
    }

    @Override
    public Duration preparation() {
        return Duration.ofSeconds(1 + leases / LOCKS_PER_SECOND);
    }

    /** One round, longer than a lease, after all leases were renewed once: each of them is renewed several times. */
    @Override
    public Effort effort(Effort requested) {
        Duration least = lease.plusSeconds(1);
        Duration time = requested.measured().compareTo(least) < 0 ? least : requested.measured();
        return new Effort(1, time, lease.dividedBy(2));
    }

    @Override
    public void warmUp(Workers workers, Duration time) throws InterruptedException {
        // measure() does it, after acquiring the locks.
    }

    @Override
    public Measurement measure(Workers workers, Duration time) throws InterruptedException {
        String key = workers.freshKey();
        RedisServer server = workers.servers().get(0);
        WorkerProcess worker = workers.get(0);
        long expiredBefore = server.keysExpired();
        long heapBefore = worker.usedHeap();
        for (int held = 0; held < leases; held += LOCKS_PER_COMMAND) {
            worker.send("hold " + held + " " + Math.min(leases, held + LOCKS_PER_COMMAND) + " " + key);
            worker.await("holding");
        }
        long heap = worker.usedHeap() - heapBefore;
        Thread.sleep(lease.dividedBy(2).toMillis());
        long commandsBefore = server.commandsRun();
        Duration processorBefore = worker.processorTime();
        long begin = System.nanoTime();
        Thread.sleep(time.toMillis());
        long commands = server.commandsRun() - commandsBefore;
        Duration processor = worker.processorTime().minus(processorBefore);
        double seconds = (System.nanoTime() - begin) / 1e9;
        long missing = leases - server.countExisting(workers.contender().redisKeys(key, leases));
        long lost = Math.max(missing, server.keysExpired() - expiredBefore);
        // The client would renew during the rounds of the others.
        workers.close();
        server.sweep();
        return new Measurement(
                commands / seconds,
                commands / seconds * lease.toMillis() / 1e3 / leases,
                0,
                0,
                lost,
                new Latencies(),
                Map.of(),
                Optional.of(new Footprint(processor.toNanos() / 1e9 / seconds, (double) heap / leases)));
    }
}
