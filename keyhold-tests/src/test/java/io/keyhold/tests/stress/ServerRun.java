package io.keyhold.tests.stress;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.testkit.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A chaos run on one server: connections are cut and slowed, workers are killed and stopped for a while. */
final class ServerRun extends ChaosRun {

    private static final Duration CUT_EVERY = Duration.ofMillis(350);
    private static final Duration KILL_EVERY = Duration.ofSeconds(3);
    private static final Duration SPELL_EVERY = Duration.ofSeconds(2);

    /** Longer than the short leases of the run and those that it renews often, and within the monitor's allowance. */
    private static final Duration SPELL = Duration.ofMillis(600);

    /**
     * After the end of the last lease, no request follows that would find the dead waiters in the queue, and their entries
     * stay until they expire.
     */
    private static final Duration GONE_WITHIN =
            ChaosSettings.LONGEST_LEASE.plusMillis(QueuePlace.KEPT_MILLIS).plusSeconds(5);

    private final EmbeddedRedis server;
    private final ChaosMonitor monitor;
    private int cuts;
    private int kills;
    private int stops;
    private int slows;

    ServerRun(ChaosSettings settings) {
        this(settings, EmbeddedRedis.start());
    }

    private ServerRun(ChaosSettings settings, EmbeddedRedis server) {
        super(settings, server);
        this.server = server;
        this.monitor = new ChaosMonitor(settings.kind(), server.host(), server.port());
    }

    @Override
    void cause() throws InterruptedException {
        startWorkers(List.of(server), server);
        RandomInterval cut = new RandomInterval(random, CUT_EVERY);
        RandomInterval kill = new RandomInterval(random, KILL_EVERY);
        RandomInterval spell = new RandomInterval(random, SPELL_EVERY);
        long end = System.nanoTime() + settings.length().toNanos();
        while (System.nanoTime() < end || !wasEnough()) {
            TimeUnit.MILLISECONDS.sleep(10);
            if (cut.isDue()) {
                cuts++;
                anySlot().line(0).cut();
            } else if (kill.isDue()) {
                kills++;
                anySlot().replace(ledger);
            } else if (spell.isDue()) {
                spell(anySlot());
            }
        }
    }

    /** For a while, one worker is stopped or its connections are slow. */
    private void spell(WorkerSlot slot) throws InterruptedException {
        int kind = random.nextInt(3);
        if (kind == 0) {
            stops++;
            ProcessSignals.stop(slot.worker());
            TimeUnit.MILLISECONDS.sleep(SPELL.toMillis());
            ProcessSignals.resume(slot.worker());
            return;
        }
        slows++;
        TcpProxy line = slot.line(0);
        if (kind == 1) {
            line.delayRequests(SPELL); // Also releases and renewals, until after their lease has ended.
        } else {
            line.delayReplies(SPELL); // Also grants, until after their lease has ended.
        }
        TimeUnit.MILLISECONDS.sleep(SPELL.toMillis());
        line.heal();
    }

    @Override
    void stopWorkers() throws InterruptedException {
        super.stopWorkers();
        monitor.stop();
        findings.addAll(monitor.findings());
    }

    @Override
    void inspectRemains() throws InterruptedException {
        findings.addAll(LeftoverKeys.after(GONE_WITHIN, ledger));
        findings.addAll(new FinalStateCheck(settings.kind(), server.uri(), ledger).findings());
    }

    @Override
    String statistics() {
        return cuts + " connections cut, " + kills + " workers killed, " + stops + " stopped for a while, " + slows
                + " slow; " + monitor.statistics();
    }

    @Override
    boolean wasEnough() {
        return cuts > 0 && kills > 0 && stops + slows > 0;
    }

    @Override
    public void close() {
        super.close();
        monitor.close();
        server.close();
    }
}
