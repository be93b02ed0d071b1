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

/** Everything that one thread of a chaos run does with what it contends for, each time something else. */
final class ChaosActions {

    private static final Duration SHORT_LEASE = Duration.ofMillis(60);

    /** Long enough for the work, and shorter than a spell: a grant that comes late must be known to be over. */
    private static final Duration FIXED_LEASE = Duration.ofMillis(200);

    private static final int RENEWED_OFTEN_MILLIS = 450;

    /** A hold that has ended. */
    private record Past(Contested of, Lease lease) {}

    private final Contest contest;
    private final GuardedCounter counter;
    private final Interrupter interrupter;
    private final Random random;
    private final String who;
    private long waits;
    private @Nullable Past past;

    ChaosActions(Contest contest, GuardedCounter counter, Interrupter interrupter, Random random, String who) {
        this.contest = contest;
        this.counter = counter;
        this.interrupter = interrupter;
        this.random = random;
        this.who = who;
    }

    /** One action, drawn by lot. */
    void next() throws InterruptedException {
        boolean renewed = random.nextBoolean();
        Contested prize = contest.draw(renewed ? ChaosSettings.LONGEST_LEASE : FIXED_LEASE, renewed);
        int lot = random.nextInt(100);
        if (lot < 30) {
            waitAndHold(prize);
        } else if (lot < 42) {
            tryOnce(prize);
        } else if (lot < 57) {
            tryForShort(prize);
        } else if (lot < 70) {
            cancel(prize);
        } else if (lot < 81) {
            beInterrupted(prize);
        } else if (lot < 91) {
            crowd(prize);
        } else if (lot < 95) {
            overstay();
        } else if (lot < 97) {
            releaseWhatIsOver();
        } else {
            holdOverRenewals();
        }
    }

    private void waitAndHold(Contested prize) throws InterruptedException {
        holdAndRelease(prize, whileCounted(prize, prize::acquire));
    }

    private void tryOnce(Contested prize) throws InterruptedException {
        holdAndRelease(prize, prize.tryAcquire().orElse(null));
    }

    private void tryForShort(Contested prize) throws InterruptedException {
        Duration wait = Duration.ofMillis(random.nextInt(30));
        Optional<Lease> lease = whileCounted(prize, () -> prize.tryAcquire(wait));
        if (lease.isEmpty()) {
            counter.count("timed out");
        }
        holdAndRelease(prize, lease.orElse(null));
    }

    private void cancel(Contested prize) throws InterruptedException {
        CompletableFuture<Lease> request = prize.acquireAsync();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
        if (request.cancel(true)) {
            counter.count("cancelled");
            return;
        }
        holdAndRelease(prize, leaseOf(request));
    }

    private void beInterrupted(Contested prize) throws InterruptedException {
        Lease lease;
        try {
            lease = whileCounted(prize, () -> interrupter.interrupted(random.nextInt(20), prize::acquire));
        } catch (InterruptedException e) {
            counter.count("interrupted");
            return;
        }
        holdAndRelease(prize, lease);
    }

    /** Several requests of one thread for one thing; it works on each as it is granted. */
    private void crowd(Contested prize) throws InterruptedException {
        int size = 2 + random.nextInt(4);
        BlockingQueue<CompletableFuture<Lease>> ended = new LinkedBlockingQueue<>();
        for (int i = 0; i < size; i++) {
            CompletableFuture<Lease> request = prize.acquireAsync();
            request.whenComplete((lease, failure) -> ended.add(request));
        }
        for (int i = 0; i < size; i++) {
            Lease lease = leaseOf(whileCounted(prize, ended::take));
            if (lease != null) {
                workInACrowd(prize, lease);
            }
        }
    }

    private void workInACrowd(Contested prize, Lease lease) throws InterruptedException {
        try {
            prize.work().during(lease, random.nextInt(5));
        } catch (StoreUnavailableException | StoreRefusedException cut) {
            counter.count("unavailable"); // The others of the crowd are to be worked on all the same.
        } finally {
            lease.releaseAsync();
        }
    }

    /** Of a request that has ended; null if the server could not be reached, which may happen in a chaos run. */
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

    /** Stays until the lease has ended on its own. */
    private void overstay() throws InterruptedException {
        Contested prize = contest.draw(SHORT_LEASE, false);
        Lease lease = whileCounted(prize, prize::acquire);
        long grantedBefore = System.nanoTime();
        try (lease) {
            prize.work().during(lease, SHORT_LEASE.toMillis() + 1);
            if (System.nanoTime() - grantedBefore > SHORT_LEASE.toNanos()) {
                counter.count("overstayed");
                if (lease.isHeld()) {
                    counter.violation("a lease of " + SHORT_LEASE + " says after that time that it is held: " + who
                            + " on " + lease.key() + ", fencing token " + lease.fencingToken());
                }
            }
        } catch (LeaseLostException lost) {
            counter.count("lost");
        }
        past = new Past(prize, lease);
        releaseWhatIsOver();
    }

    /** A hold that has ended is released again, from outside: nobody else must lose anything by that, nor gain. */
    private void releaseWhatIsOver() {
        if (past != null) {
            boolean wasOurs = past.of().release(past.lease().token());
            counter.count(wasOurs ? "released late" : "released too late");
        }
    }

    private void holdOverRenewals() throws InterruptedException {
        Contested prize = contest.draw(Duration.ofMillis(RENEWED_OFTEN_MILLIS), true);
        try (Lease lease = whileCounted(prize, prize::acquire)) {
            prize.work().during(lease, RENEWED_OFTEN_MILLIS + random.nextInt(RENEWED_OFTEN_MILLIS));
        }
    }

    private void holdAndRelease(Contested prize, @Nullable Lease lease) throws InterruptedException {
        if (lease == null) {
            return;
        }
        past = new Past(prize, lease);
        boolean worked = false;
        try {
            prize.work().during(lease, random.nextInt(20));
            worked = true;
        } finally {
            if (worked && random.nextBoolean()) {
                lease.release();
            } else {
                lease.close();
            }
        }
    }

    /** Tells the monitor that somebody waits for this, for as long as that is so. */
    private <T> T whileCounted(Contested prize, Interrupter.Wait<T> wait) throws InterruptedException {
        String waiter = who + "/" + ++waits;
        counter.waits(prize.waitsFor(), waiter);
        try {
            return wait.make();
        } finally {
            counter.waitsNoMore(prize.waitsFor(), waiter);
        }
    }
}
