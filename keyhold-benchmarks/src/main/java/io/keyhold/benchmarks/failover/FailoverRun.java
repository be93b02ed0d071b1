package io.keyhold.benchmarks.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that take turns with one lock while its master fails over again and again, and what they see of each other. */
final class FailoverRun {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(3);
    private static final int HOLDS_BETWEEN = 20;
    private static final List<FailoverKind> KINDS = List.of(FailoverKind.values());

    private final Set<Hold> inside = ConcurrentHashMap.newKeySet();
    private final AtomicInteger holds = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger backwards = new AtomicInteger();
    private final AtomicLong largestToken = new AtomicLong();
    private final List<Long> gapsMillis = new ArrayList<>();
    private volatile boolean over;

    /** A hold of the lock, as its client sees it. */
    interface Hold {

        /** Whether the client may still do what the lock protects. */
        boolean isHeld();

        /** Larger than that of every earlier hold; 0 if it has none. */
        long fencingToken();

        /** Frees the lock, or reports nothing if that fails. */
        void release();
    }

    /** A client's way to the lock. */
    interface Lock {

        /** Waits for the lock, and throws if that takes too long. */
        Hold acquire() throws Exception;
    }

    /**
     * What was seen.
     *
     * @param failovers how many
     * @param holds how often the lock was held
     * @param overlaps how often a client got the lock while another held it
     * @param backwards how often a fencing token was not the largest so far
     * @param gapsMillis how long after the beginning of each failover the lock was had again
     */
    record Report(int failovers, int holds, int overlaps, int backwards, List<Long> gapsMillis) {}

    /** Runs failovers of all kinds in turn, with one thread for each lock. */
    static Report run(FailingServers servers, List<? extends Lock> locks, int failovers) throws InterruptedException {
        return new FailoverRun().go(servers, locks, failovers);
    }

    private Report go(FailingServers servers, List<? extends Lock> locks, int failovers) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (Lock lock : locks) {
            Thread worker = new Thread(() -> work(lock), "worker-" + workers.size());
            worker.start();
            workers.add(worker);
        }
        try {
            for (int i = 0; i < failovers; i++) {
                awaitHolds(HOLDS_BETWEEN);
                servers.awaitReady();
                long start = System.nanoTime();
                KINDS.get(i % KINDS.size()).run(servers);
                awaitHolds(1);
                gapsMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
            }
            awaitHolds(HOLDS_BETWEEN);
        } finally {
            over = true;
            for (Thread worker : workers) {
                worker.join(TIME_LIMIT.toMillis());
            }
        }
        return new Report(failovers, holds.get(), overlaps.get(), backwards.get(), gapsMillis);
    }

    private void awaitHolds(int more) throws InterruptedException {
        int enough = holds.get() + more;
        long end = System.nanoTime() + TIME_LIMIT.toNanos();
        while (holds.get() < enough) {
            if (System.nanoTime() > end) {
                throw new AssertionError("the lock was not had within " + TIME_LIMIT);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private void work(Lock lock) {
        Random random = new Random();
        while (!over) {
            try {
                Hold hold = lock.acquire();
                inside.add(hold);
                try {
                    check(hold);
                    // Most holds are short; some last as long as a failover takes.
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(10) == 0 ? random.nextInt(3_000) : random.nextInt(20));
                } finally {
                    inside.remove(hold); // Before the release: the next holder must not see it.
                    hold.release();
                }
            } catch (Exception unavailable) {
                pause();
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is not held any more when it is looked at proves nothing. */
    private void check(Hold hold) {
        long before = largestToken.getAndAccumulate(hold.fencingToken(), Math::max);
        boolean isOverlap = inside.stream().anyMatch(other -> other != hold && other.isHeld());
        if (hold.isHeld()) {
            holds.incrementAndGet();
            backwards.addAndGet(hold.fencingToken() > 0 && hold.fencingToken() <= before ? 1 : 0);
            overlaps.addAndGet(isOverlap ? 1 : 0);
        }
    }
}
