package io.keyhold.tests.stress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;

/**
 * Finds waiters that sleep past a free lock, and keys without an expiry.
 *
 * <p>Every sample is one transaction. A finding needs the same waiter in consecutive samples that all saw the lock free and the
 * number of the last grant unchanged: then the lock was not held in between either, and the waiter could have had it all the
 * time. (For a semaphore: enough permits were free for the head of the queue.) Only time that was sampled counts, and only while
 * the process of the waiter showed a sign of life, so that a stalled process or machine is not blamed on the lock.
 */
final class ChaosMonitor implements AutoCloseable {

    /** The promise (a lease and a second), and a second for being stopped, cut off and started on a busy machine. */
    static final Duration BOUND = ChaosSettings.LONGEST_LEASE.plusSeconds(2);

    private static final long LOOK_EVERY_MILLIS = 50;
    private static final long LONGEST_COUNTED_GAP_MILLIS = 3 * LOOK_EVERY_MILLIS;

    private final ChaosKind kind;
    private final Jedis redis;
    private final Map<String, IdleKey> keys = new HashMap<>();
    private Map<String, String> lastPulses = Map.of();
    private final List<String> findings = new CopyOnWriteArrayList<>();
    private final Set<String> endless = new CopyOnWriteArraySet<>();
    private final Thread thread = new Thread(this::watch, "chaos-monitor");
    private volatile boolean stopped;
    private final AtomicLong longestIdleMillis = new AtomicLong();
    private final AtomicLong samples = new AtomicLong();

    ChaosMonitor(ChaosKind kind, String host, int port) {
        this.kind = kind;
        redis = new Jedis(host, port, 20_000);
        kind.keys().forEach(key -> keys.put(key, new IdleKey()));
        thread.start();
    }

    /** The last sample of one key, and for how long each waiter has been seen while the lock was free. */
    private static final class IdleKey {
        private String lastGrant = "";
        private Map<String, Long> idleMillis = Map.of();
    }

    /** One sample of one key. */
    private record Sample(KeyProbe probe, Response<Set<String>> waiters) {}

    List<String> findings() {
        List<String> all = new ArrayList<>(findings);
        endless.forEach(key -> all.add(key + " or a companion of it had no expiry"));
        return all;
    }

    String statistics() {
        return samples + " samples; the longest that a lock was free while the same waiter waited: " + longestIdleMillis
                + " ms";
    }

    private void watch() {
        try {
            long last = System.nanoTime();
            while (!stopped) {
                long now = System.nanoTime();
                long gap = Math.min(TimeUnit.NANOSECONDS.toMillis(now - last), LONGEST_COUNTED_GAP_MILLIS);
                last = now;
                sample(gap);
                samples.incrementAndGet();
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            }
        } catch (RuntimeException | InterruptedException e) {
            findings.add("the monitor failed: " + e);
        }
    }

    private void sample(long gapMillis) {
        Map<String, Sample> all = new HashMap<>();
        Response<Map<String, String>> pulses;
        try (Transaction transaction = redis.multi()) {
            pulses = transaction.hgetAll(GuardedCounter.PULSES);
            for (String key : kind.keys()) {
                all.put(key, new Sample(kind.sample(transaction, key), transaction.hkeys(GuardedCounter.waiting(key))));
            }
            transaction.exec();
        }
        Set<String> alive = new HashSet<>();
        pulses.get().forEach((process, pulse) -> {
            if (!pulse.equals(lastPulses.get(process))) {
                alive.add(process);
            }
        });
        lastPulses = pulses.get();
        all.forEach((key, sample) -> judge(key, sample, alive, gapMillis));
    }

    private void judge(String key, Sample sample, Set<String> alive, long gapMillis) {
        IdleKey before = keys.get(key);
        if (before == null) {
            throw new IllegalStateException(key);
        }
        if (sample.probe().endless().get()) {
            endless.add(key);
        }
        String grant = sample.probe().lastGrant().get();
        boolean idle = sample.probe().free().get() && !grant.isEmpty() && grant.equals(before.lastGrant);
        Map<String, Long> now = new HashMap<>();
        for (String waiter : idle ? sample.waiters().get() : Set.<String>of()) {
            Long earlier = before.idleMillis.get(waiter);
            long more = alive.contains(waiter.substring(0, waiter.indexOf('/'))) ? gapMillis : 0;
            long millis = earlier == null ? 0 : earlier + more;
            now.put(waiter, millis);
            longestIdleMillis.accumulateAndGet(millis, Math::max);
            // Reported only when it passes the bound, so that one sleeper is one finding.
            if (millis > BOUND.toMillis() && millis - more <= BOUND.toMillis()) {
                findings.add(waiter + " slept past a free lock " + key + " for " + millis + " ms; in the queue: "
                        + sample.probe().queued().get());
            }
        }
        before.lastGrant = grant;
        before.idleMillis = now;
    }

    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    @Override
    public void close() {
        stopped = true;
        redis.close();
    }
}
