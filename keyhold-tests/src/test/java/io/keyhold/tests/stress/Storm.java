package io.keyhold.tests.stress;

import io.keyhold.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;

/** Runs the workers, and does to them what networks, operators and machines do: cuts and slows lines, kills, stops for a while. */
final class Storm implements AutoCloseable {

    private static final Duration CUT_EVERY = Duration.ofMillis(350);
    private static final Duration KILL_EVERY = Duration.ofSeconds(3);
    private static final Duration SPELL_EVERY = Duration.ofSeconds(2);

    /** Longer than the short leases of the storm and those that it renews often, and within the monitor's allowance. */
    private static final Duration SPELL = Duration.ofMillis(600);

    /** A limit for safety: what is pending ends much sooner. */
    private static final Duration CALM = Duration.ofSeconds(60);

    private final StormSettings settings;
    private final Random random;
    private final Jedis redis;
    private final List<WorkerSlot> slots = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();
    private int cuts;
    private int kills;
    private int stops;
    private int slows;

    Storm(StormSettings settings, EmbeddedRedis server) {
        this.settings = settings;
        this.random = new Random(settings.seed());
        this.redis = new Jedis(server.host(), server.port(), 20_000);
        for (int i = 0; i < settings.kind().workers().size(); i++) {
            slots.add(new WorkerSlot(settings.kind(), i, server, random.nextLong()));
        }
    }

    /** Storms for the time that was set, and until it was a storm; returns when it is over, with the workers still at work. */
    void rage() throws InterruptedException {
        for (WorkerSlot slot : slots) {
            slot.awaitReady();
        }
        Occasion cut = new Occasion(random, CUT_EVERY);
        Occasion kill = new Occasion(random, KILL_EVERY);
        Occasion spell = new Occasion(random, SPELL_EVERY);
        long end = System.nanoTime() + settings.length().toNanos();
        while (System.nanoTime() < end || !wasOne()) {
            TimeUnit.MILLISECONDS.sleep(10);
            if (cut.isNow()) {
                cuts++;
                anyone().cut();
            } else if (kill.isNow()) {
                kills++;
                anyone().replace(redis);
            } else if (spell.isNow()) {
                spell(anyone());
            }
        }
    }

    private WorkerSlot anyone() {
        return slots.get(random.nextInt(slots.size()));
    }

    /** For a while, one worker stands still or its line is slow. */
    private void spell(WorkerSlot slot) throws InterruptedException {
        int kind = random.nextInt(3);
        if (kind == 0) {
            stops++;
            Signals.stop(slot.worker());
            TimeUnit.MILLISECONDS.sleep(SPELL.toMillis());
            Signals.resume(slot.worker());
            return;
        }
        slows++;
        if (kind == 1) {
            slot.slowRequests(SPELL);
        } else {
            slot.slowReplies(SPELL);
        }
        TimeUnit.MILLISECONDS.sleep(SPELL.toMillis());
        slot.fast();
    }

    /** Lets every worker finish what it does: whatever waits for a lock gets it now, because everybody leaves. */
    void calm() throws InterruptedException {
        long end = System.nanoTime() + CALM.toNanos();
        slots.forEach(slot -> slot.worker().tell("stop"));
        for (WorkerSlot slot : slots) {
            ChildJvm worker = slot.worker();
            if (!worker.endsWithin(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                worker.tell("dump");
                worker.endsWithin(Duration.ofSeconds(2));
                findings.add(worker.name() + " did not end in order: " + worker.lastErrors());
            }
        }
    }

    List<String> findings() {
        return findings;
    }

    String statistics() {
        return cuts + " lines cut, " + kills + " workers killed, " + stops + " stopped for a while, " + slows
                + " lines slow";
    }

    /** Whether there was enough trouble to call it one. */
    boolean wasOne() {
        return cuts > 0 && kills > 0 && stops + slows > 0;
    }

    @Override
    public void close() {
        slots.forEach(WorkerSlot::close);
        redis.close();
    }
}
