package io.keyhold.internal.engine;

import io.keyhold.LockOptions;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every lease when it is time to: renews those that are renewed, every third of their length, and reports those
 * whose time is over. The outcome of a renewal is <i>renewed</i>, <i>lost</i> (the store says so), or <i>unknown</i>
 * (the store did not answer): then it is tried again soon, and if the lease's validity ends meanwhile, it is lost, here
 * and now, before anyone else can have the lock.
 *
 * <p>Renewals that are due at about the same time travel together. A lease that is due waits for others for a thirtieth of
 * its length, at most a quarter of a second: that costs it a tenth of the time that is left for trying again, and saves
 * a client with ten thousand leases nearly all of its calls.
 */
final class LeaseWatch {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final int RENEWALS_A_LEASE = 3;
    private static final int LONGEST_BATCH = 256;
    private static final long LONGEST_GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long SOONEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LATEST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Engine engine;
    private final Queue<HeldLease> due = new ConcurrentLinkedQueue<>();

    LeaseWatch(Engine engine) {
        this.engine = engine;
    }

    /** Begins to look after this lease. */
    void watch(HeldLease lease) {
        if (isLookedAtRegularly(lease)) {
            lookIn(lease, interval(lease) - lease.validity().ageNanos(engine.clock()));
        } else {
            lookIn(lease, lease.remainingNanos());
        }
    }

    /** Ends it. */
    void forget(HeldLease lease) {
        Scheduler.Timer timer = lease.nextLook;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void lookIn(HeldLease lease, long delayNanos) {
        lease.nextLook = engine.scheduler().schedule(delayNanos, () -> look(lease));
        if (!lease.isOpen()) {
            // It ended while this was being set up, and forget() may have cancelled the timer before.
            forget(lease);
        }
    }

    private void look(HeldLease lease) {
        if (!lease.isOpen() || lease.loseIfOver()) {
            return;
        }
        if (isLookedAtRegularly(lease)) {
            due.add(lease);
            long gathering = Math.min(interval(lease) / 10, LONGEST_GATHERING_NANOS);
            gathering = Math.min(gathering, lease.remainingNanos() / 2);
            engine.scheduler().schedule(gathering, this::renewDue);
        } else {
            lookIn(lease, lease.remainingNanos());
        }
    }

    /** Runs once for each lease that became due; the first of a bunch takes all. */
    private void renewDue() {
        List<HeldLease> batch = new ArrayList<>();
        for (HeldLease lease = due.poll(); lease != null; lease = due.poll()) {
            if (lease.isOpen() && !lease.loseIfOver()) {
                batch.add(lease);
            }
            if (batch.size() == LONGEST_BATCH) {
                renew(batch);
                batch = new ArrayList<>();
            }
        }
        if (!batch.isEmpty()) {
            renew(batch);
        }
    }

    private void renew(List<HeldLease> batch) {
        // Should the answer be late, the end of each lease is noticed all the same.
        batch.forEach(lease -> lookIn(lease, lease.remainingNanos()));
        ClockReading sent = ClockReading.now(engine.clock());
        List<RenewRequest> requests = batch.stream()
                .map(lease -> new RenewRequest(lease.subject().claim(), lease.storedToken(), lease.leaseMillis()))
                .toList();
        engine.store()
                .renew(requests, engine.asynchronously().mode())
                .whenComplete((replies, failure) -> answered(batch, requests, sent, replies, failure));
    }

    private void answered(
            List<HeldLease> batch,
            List<RenewRequest> requests,
            ClockReading sent,
            @Nullable List<HoldReply> replies,
            @Nullable Throwable failure) {
        batch.forEach(this::forget);
        if (replies != null) {
            LOG.log(Level.DEBUG, () -> "a renewal of " + batch.size() + " leases was answered");
            for (int i = 0; i < batch.size(); i++) {
                HeldLease lease = batch.get(i);
                if (replies.get(i) instanceof HoldReply.Unknown unknown) {
                    LOG.log(Level.DEBUG, unknown.detail());
                    retry(lease);
                } else if (lease.isOpen() && lease.renewed(sent, requests.get(i).leaseMillis(), replies.get(i))) {
                    lookIn(lease, interval(lease) - sent.nanosSince(engine.clock()));
                }
            }
        } else if (batch.size() > 1 && StoreFailure.isRefusal(Stages.unwrapped(failure(failure)))) {
            // The server refused the batch, perhaps for one lock of it: each for itself then.
            batch.forEach(lease -> renew(List.of(lease)));
        } else {
            LOG.log(
                    Level.DEBUG,
                    "a renewal of {0} leases had no answer: {1}",
                    batch.size(),
                    failure(failure).getMessage());
            batch.forEach(this::retry);
        }
    }

    private void retry(HeldLease lease) {
        if (lease.isOpen() && !lease.loseIfOver()) {
            long pause = Math.max(SOONEST_RETRY_NANOS, Math.min(interval(lease) / 4, LATEST_RETRY_NANOS));
            lookIn(lease, Math.min(pause, lease.remainingNanos()));
        }
    }

    /** A lease that never ends is looked at too, so that its loss is noticed. */
    private static boolean isLookedAtRegularly(HeldLease lease) {
        return lease.isRenewed() || lease.leaseMillis() == AcquireRequest.NO_EXPIRY;
    }

    private static long interval(HeldLease lease) {
        long millis = lease.leaseMillis() == AcquireRequest.NO_EXPIRY
                ? LockOptions.DEFAULT_LEASE.toMillis()
                : lease.leaseMillis();
        return TimeUnit.MILLISECONDS.toNanos(millis) / RENEWALS_A_LEASE;
    }

    private static Throwable failure(@Nullable Throwable failure) {
        return failure != null ? failure : new IllegalStateException("no reply and no failure");
    }
}
