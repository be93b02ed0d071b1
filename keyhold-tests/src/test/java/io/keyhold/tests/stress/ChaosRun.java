package io.keyhold.tests.stress;

import io.keyhold.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import redis.clients.jedis.Jedis;

/** Worker processes that contend for a few keys while servers, connections and the workers themselves fail. */
abstract class ChaosRun implements AutoCloseable {

    /** A safety limit: the awaited events come much sooner. */
    static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    final ChaosSettings settings;
    final Random random;
    final Jedis ledger;
    final List<WorkerSlot> slots = new ArrayList<>();
    final List<String> findings = new ArrayList<>();

    /** The ledger is the server where the workers record what they do. */
    ChaosRun(ChaosSettings settings, EmbeddedRedis ledger) {
        this.settings = settings;
        this.random = new Random(settings.seed());
        this.ledger = new Jedis(ledger.host(), ledger.port(), 20_000);
    }

    static ChaosRun of(ChaosSettings settings) {
        return settings.kind() == ChaosKind.QUORUM ? new QuorumRun(settings) : new ServerRun(settings);
    }

    /** Causes faults for the time that was set, and until each kind of fault has come; leaves the workers at work. */
    abstract void cause() throws InterruptedException;

    /** Checks what is left when the workers have ended. */
    abstract void inspectRemains() throws InterruptedException;

    abstract String statistics();

    /** Whether there were enough faults for a meaningful test. */
    abstract boolean wasEnough();

    /** Starts the workers, each with its own proxy to each of these servers. */
    final void startWorkers(List<EmbeddedRedis> servers, EmbeddedRedis ledgerServer) throws InterruptedException {
        for (int i = 0; i < settings.kind().workers().size(); i++) {
            slots.add(new WorkerSlot(settings.kind(), i, servers, ledgerServer, random.nextLong()));
        }
        for (WorkerSlot slot : slots) {
            slot.worker().await("ready");
        }
    }

    final WorkerSlot anySlot() {
        return slots.get(random.nextInt(slots.size()));
    }

    /** Lets every worker finish what it does. Pending requests are granted, because all holders leave. */
    void stopWorkers() throws InterruptedException {
        long end = System.nanoTime() + TIME_LIMIT.toNanos();
        slots.forEach(slot -> slot.worker().tell("stop"));
        for (WorkerSlot slot : slots) {
            ChildJvm worker = slot.worker();
            if (!worker.endsWithin(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                worker.tell("dump");
                worker.endsWithin(Duration.ofSeconds(2));
                findings.add(worker.name() + " did not end normally:  " + worker.lastErrors());
            }
        }
    }

    @Override
    public void close() {
        slots.forEach(WorkerSlot::close);
        ledger.close();
    }
}
