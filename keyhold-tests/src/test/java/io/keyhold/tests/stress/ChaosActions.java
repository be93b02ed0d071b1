package io.keyhold.tests.stress;

import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.StoreRefusedException;
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

/** The random actions of one thread of a chaos run. */
final class ChaosActions {

    private static final Duration SHORT_LEASE = Duration.ofMillis(60);

    /** Long enough for the work, and shorter than a spell: a grant that arrives late must count as expired. */
    private static final Duration FIXED_LEASE = Duration.ofMillis(200);

    private static final int RENEWED_OFTEN_MILLIS = 450;

    /** A hold that has ended. */
    private record Past(ContendedResource of, Lease lease) {}

    private final ChaosWorkload workload;
    private final GuardedCounter counter;
    private final Interrupter interrupter;
    private final Random random;
    private final String who;
    private long waits;
    private @Nullable Past past;

    ChaosActions(ChaosWorkload workload, GuardedCounter counter, Interrupter interrupter, Random random, String who) {
        this.workload = workload;
        this.counter = counter;
        this.interrupter = interrupter;
        this.random = random;
        this.who = who;
    }

    /** Performs one random action. */
    void next() throws InterruptedException {
        boolean renewed = random.nextBoolean();
        ContendedResource resource = workload.draw(renewed ? ChaosSettings.LONGEST_LEASE : FIXED_LEASE, renewed);
        int lot = random.nextInt(100);
        if (lot < 30) {
            waitAndHold(resource);
        } else if (lot < 42) {
            tryOnce(resource);
        } else if (lot < 57) {
            tryForShort(resource);
        } else if (lot < 70) {
            cancel(resource);
        } else if (lot < 81) {
            beInterrupted(resource);
        } else if (lot < 91) {
            acquireSeveral(resource);
        } else if (lot < 95) {
            overstay();
        } else if (lot < 97) {
            releaseWhatIsOver();
        } else {
            holdOverRenewals();
        }
    }

    private void waitAndHold(ContendedResource resource) throws InterruptedException {
        holdAndRelease(resource, whileCounted(resource, resource::acquire));
    }

    private void tryOnce(ContendedResource resource) throws InterruptedException {
        holdAndRelease(resource, resource.tryAcquire().orElse(null));
    }

    private void tryForShort(ContendedResource resource) throws InterruptedException {
        Duration wait = Duration.ofMillis(random.nextInt(30));
        Optional<Lease> lease = whileCounted(resource, () -> resource.tryAcquire(wait));
        if (lease.isEmpty()) {
            counter.count("timed out");
        }
        holdAndRelease(resource, lease.orElse(null));
    }

    private void cancel(ContendedResource resource) throws InterruptedException {
        CompletableFuture<Lease> request = resource.acquireAsync();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
        if (request.cancel(true)) {
            counter.count("cancelled");
            return;
        }
        holdAndRelease(resource, leaseOf(request));
    }

    private void beInterrupted(ContendedResource resource) throws InterruptedException {
        Lease lease;
        try {
            lease = whileCounted(resource, () -> interrupter.interrupted(random.nextInt(20), resource::acquire));
        } catch (InterruptedException e) {
            counter.count("interrupted");
            return;
        }
        holdAndRelease(resource, lease);
    }

    /** Several requests of one thread for one resource; it works on each as it is granted. */
    private void acquireSeveral(ContendedResource resource) throws InterruptedException {
        int size = 2 + random.nextInt(4);
        BlockingQueue<CompletableFuture<Lease>> ended = new LinkedBlockingQueue<>();
        for (int i = 0; i < size; i++) {
            CompletableFuture<Lease> request = resource.acquireAsync();
            request.whenComplete((lease, failure) -> ended.add(request));
        }
        for (int i = 0; i < size; i++) {
            Lease lease = leaseOf(whileCounted(resource, ended::take));
            if (lease != null) {
                workOnOneOfSeveral(resource, lease);
            }
        }
    }

    private void workOnOneOfSeveral(ContendedResource resource, Lease lease) throws InterruptedException {
        try {
            resource.work().during(lease, random.nextInt(5));
        } catch (StoreUnavailableException | StoreRefusedException cut) {
            counter.count("unavailable"); // The other requests must still be handled.
        } finally {
            lease.releaseAsync();
        }
    }

    /** Returns the lease of a completed request; null if the server could not be reached, which may happen in a chaos run. */
    private @Nullable Lease leaseOf(CompletableFuture<Lease> request) {
        try {
            return request.join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof StoreUnavailableException || e.getCause() instanceof StoreRefusedException)) {
                throw e;
            }
            counter.count("unavailable");
            return null;
        }
    }

    /** Stays until the lease has expired. */
    private void overstay() throws InterruptedException {
        ContendedResource resource = workload.draw(SHORT_LEASE, false);
        Lease lease = whileCounted(resource, resource::acquire);
        long grantedBefore = System.nanoTime();
        try (lease) {
            resource.work().during(lease, SHORT_LEASE.toMillis() + 1);
            if (System.nanoTime() - grantedBefore > SHORT_LEASE.toNanos()) {
                counter.count("overstayed");
                if (lease.isHeld()) {
                    counter.violation("a lease of " + SHORT_LEASE + " is held after that time: " + who + " on "
                            + lease.key() + ", fencing token " + lease.fencingToken());
                }
            }
        } catch (LeaseLostException lost) {
            counter.count("lost");
        }
        past = new Past(resource, lease);
        releaseWhatIsOver();
    }

    /** Releases an ended hold again, by its token: that must not affect other holders. */
    private void releaseWhatIsOver() {
        if (past != null) {
            boolean wasOurs = past.of().release(past.lease().token());
            counter.count(wasOurs ? "released late" : "released too late");
        }
    }

    private void holdOverRenewals() throws InterruptedException {
        ContendedResource resource = workload.draw(Duration.ofMillis(RENEWED_OFTEN_MILLIS), true);
        try (Lease lease = whileCounted(resource, resource::acquire)) {
            resource.work().during(lease, RENEWED_OFTEN_MILLIS + random.nextInt(RENEWED_OFTEN_MILLIS));
        }
    }

    private void holdAndRelease(ContendedResource resource, @Nullable Lease lease) throws InterruptedException {
        if (lease == null) {
            return;
        }
        past = new Past(resource, lease);
        boolean worked = false;
        try {
            resource.work().during(lease, random.nextInt(20));
            worked = true;
        } finally {
            if (worked && random.nextBoolean()) {
                lease.release();
            } else {
                lease.close();
            }
        }
    }

    /** Tells the monitor that a request waits for this, while it does. */
    private <T> T whileCounted(ContendedResource resource, Interrupter.Wait<T> wait) throws InterruptedException {
        String waiter = who + "/" + ++waits;
        counter.waits(resource.waitsFor(), waiter);
        try {
            return wait.make();
        } finally {
            counter.waitsNoMore(resource.waitsFor(), waiter);
        }
    }
}
