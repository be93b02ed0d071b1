package io.keyhold.tests.stress;

import io.keyhold.DistributedLock;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Everything that one thread of the storm does with locks, each time something else. */
final class StormActions {

    private static final int SHORT_LEASE_MILLIS = 60;

    /** Long enough for the work, and shorter than a spell: a grant that comes late must be known to be over. */
    private static final Duration FIXED_LEASE = Duration.ofMillis(200);

    private static final int RENEWED_OFTEN_MILLIS = 450;

    private final Keyhold keyhold;
    private final GuardedCounter counter;
    private final HeldWork work;
    private final Interrupter interrupter;
    private final Random random;
    private final String who;
    private long waits;
    private @Nullable Lease over;

    StormActions(Keyhold keyhold, GuardedCounter counter, Interrupter interrupter, Random random, String who) {
        this.keyhold = keyhold;
        this.counter = counter;
        this.work = new HeldWork(counter, who);
        this.interrupter = interrupter;
        this.random = random;
        this.who = who;
    }

    /** One action, drawn by lot. */
    void next() throws InterruptedException {
        String key = StormSettings.KEYS.get(random.nextInt(StormSettings.KEYS.size()));
        int lot = random.nextInt(100);
        if (lot < 30) {
            waitAndHold(key);
        } else if (lot < 42) {
            tryOnce(key);
        } else if (lot < 57) {
            tryForShort(key);
        } else if (lot < 70) {
            cancel(key);
        } else if (lot < 81) {
            beInterrupted(key);
        } else if (lot < 91) {
            crowd(key);
        } else if (lot < 95) {
            overstay(key);
        } else if (lot < 97) {
            releaseWhatIsOver();
        } else {
            holdOverRenewals(key);
        }
    }

    private void waitAndHold(String key) throws InterruptedException {
        DistributedLock lock = lock(key);
        holdAndRelease(whileCounted(key, lock::acquire));
    }

    private void tryOnce(String key) throws InterruptedException {
        holdAndRelease(lock(key).tryAcquire().orElse(null));
    }

    private void tryForShort(String key) throws InterruptedException {
        DistributedLock lock = lock(key);
        Duration wait = Duration.ofMillis(random.nextInt(30));
        Optional<Lease> lease = whileCounted(key, () -> lock.tryAcquire(wait));
        if (lease.isEmpty()) {
            counter.count("timed out");
        }
        holdAndRelease(lease.orElse(null));
    }

    private void cancel(String key) throws InterruptedException {
        CompletableFuture<Lease> request = lock(key).acquireAsync();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
        if (request.cancel(true)) {
            counter.count("cancelled");
            return;
        }
        holdAndRelease(leaseOf(request));
    }

    private void beInterrupted(String key) throws InterruptedException {
        DistributedLock lock = lock(key);
        Lease lease;
        try {
            lease = whileCounted(key, () -> interrupter.interrupted(random.nextInt(20), lock::acquire));
        } catch (InterruptedException e) {
            counter.count("interrupted");
            return;
        }
        holdAndRelease(lease);
    }

    /** Several requests of one thread for one key; it works on each as it is granted. */
    private void crowd(String key) throws InterruptedException {
        int size = 2 + random.nextInt(4);
        BlockingQueue<CompletableFuture<Lease>> ended = new LinkedBlockingQueue<>();
        for (int i = 0; i < size; i++) {
            CompletableFuture<Lease> request = lock(key).acquireAsync();
            request.whenComplete((lease, failure) -> ended.add(request));
        }
        for (int i = 0; i < size; i++) {
            Lease lease = leaseOf(whileCounted(key, ended::take));
            if (lease != null) {
                work.increment(lease, random.nextInt(5));
                lease.releaseAsync();
            }
        }
    }

    /** Of a request that has ended; null if the server could not be reached, which may happen in a storm. */
    private @Nullable Lease leaseOf(CompletableFuture<Lease> request) {
        try {
            return request.join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof StoreUnavailableException)) {
                throw e;
            }
            counter.count("unavailable");
            return null;
        }
    }

    private void overstay(String key) throws InterruptedException {
        LockOptions.Builder options = LockOptions.builder().lease(Duration.ofMillis(SHORT_LEASE_MILLIS));
        DistributedLock lock = keyhold.lock(key, options.fairness(fairness()).build());
        Lease lease = whileCounted(key, lock::acquire);
        work.overstay(lease, System.nanoTime(), SHORT_LEASE_MILLIS);
        lease.close();
        over = lease;
        releaseWhatIsOver();
    }

    /** A hold that has ended is released again, from outside: the next holder must not lose the lock by that. */
    private void releaseWhatIsOver() {
        if (over != null) {
            boolean wasOurs = keyhold.lock(over.key()).release(over.token());
            counter.count(wasOurs ? "released late" : "released too late");
        }
    }

    private void holdOverRenewals(String key) throws InterruptedException {
        LockOptions.Builder options = LockOptions.builder()
                .lease(Duration.ofMillis(RENEWED_OFTEN_MILLIS))
                .renew(true);
        DistributedLock lock = keyhold.lock(key, options.fairness(fairness()).build());
        Lease lease = whileCounted(key, lock::acquire);
        work.increment(lease, RENEWED_OFTEN_MILLIS + random.nextInt(RENEWED_OFTEN_MILLIS));
        lease.close();
    }

    private void holdAndRelease(@Nullable Lease lease) throws InterruptedException {
        if (lease == null) {
            return;
        }
        work.increment(lease, random.nextInt(20));
        over = lease;
        if (random.nextBoolean()) {
            lease.close();
        } else {
            lease.release();
        }
    }

    /** Tells the monitor that somebody waits for this key, for as long as that is so. */
    private <T> T whileCounted(String key, Interrupter.Wait<T> wait) throws InterruptedException {
        String waiter = who + "/" + ++waits;
        counter.waits(key, waiter);
        try {
            return wait.make();
        } finally {
            counter.waitsNoMore(key, waiter);
        }
    }

    private DistributedLock lock(String key) {
        boolean renewed = random.nextBoolean();
        LockOptions options = LockOptions.builder()
                .lease(renewed ? StormSettings.LONGEST_LEASE : FIXED_LEASE)
                .renew(renewed)
                .fairness(fairness())
                .build();
        return keyhold.lock(key, options);
    }

    private Fairness fairness() {
        return random.nextBoolean() ? Fairness.BATCHED : Fairness.STRICT;
    }
}
