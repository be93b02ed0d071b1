package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdClock;
import io.keyhold.LockOptions;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases at a third of their length, and reports those whose time is over. The outcome of a renewal is <i>renewed</i>,
 * <i>lost</i> (the store says so), or <i>unknown</i> (no reply): then it is tried again soon, and if the validity of the lease ends
 * meanwhile, the lease is lost, here and now, before another client can have the lock.
 *
 * <p>Renewals that are due at about the same time share one call. A lease that is due waits for others for a thirtieth of
 * its length, at most a quarter of a second: that costs a tenth of the time that is left for a second attempt, and saves
 * a client with ten thousand leases nearly all of its calls.
 */
public final class LeaseRenewer {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final int RENEWALS_PER_LEASE = 3;
    private static final int LARGEST_BATCH = 256;
    private static final long LONGEST_GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long SHORTEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LockStore store;
    private final Scheduler scheduler;
    private final KeyholdClock clock;
    private final Queue<Renewable> due = new ConcurrentLinkedQueue<>();

    public LeaseRenewer(LockStore store, Scheduler scheduler, KeyholdClock clock) {
        this.store = store;
        this.scheduler = scheduler;
        this.clock = clock;
    }

    /** A lease as the renewer sees it. */
    abstract static class Renewable {

        /** The next check of this lease. Only the renewer touches it; it is here to save a map with an entry for each lease. */
        private volatile Scheduler.@Nullable Timer nextCheck;

        abstract boolean isOpen();

        abstract boolean isRenewed();

        /** Returns how long the server holds this without renewal; {@link AcquireRequest#NO_EXPIRY} if for ever. */
        abstract long leaseMillis();

        abstract Validity validity();

        abstract RenewRequest renewRequest();

        /** Takes the store's reply to a renewal that was sent at this moment. Returns whether the lease goes on. */
        abstract boolean renewed(ClockReading sent, long leaseMillis, HoldReply reply);

        /** Ends the lease as lost if its time is over. Returns whether it is. */
        abstract boolean loseIfOver();
    }

    /** Starts to look after this lease. */
    void watch(Renewable lease) {
        checkIn(
                lease,
                isCheckedRegularly(lease) ? interval(lease) - lease.validity().ageNanos(clock) : remainingNanos(lease));
    }

    /** Stops it. */
    void forget(Renewable lease) {
        Scheduler.Timer timer = lease.nextCheck;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void checkIn(Renewable lease, long delayNanos) {
        lease.nextCheck = scheduler.schedule(delayNanos, () -> check(lease));
        if (!lease.isOpen()) {
            // It ended while the timer was being set, and forget() may have run before.
            forget(lease);
        }
    }

    private void check(Renewable lease) {
        if (!lease.isOpen() || lease.loseIfOver()) {
            return;
        }
        if (isCheckedRegularly(lease)) {
            due.add(lease);
            long gathering = Math.min(interval(lease) / 10, LONGEST_GATHERING_NANOS);
            gathering = Math.min(gathering, remainingNanos(lease) / 2);
            scheduler.schedule(gathering, this::renewDue);
        } else {
            checkIn(lease, remainingNanos(lease));
        }
    }

    /** Runs once for each lease that became due; the first run of a batch takes all that are due. */
    private void renewDue() {
        List<Renewable> batch = new ArrayList<>();
        for (Renewable lease = due.poll(); lease != null; lease = due.poll()) {
            if (lease.isOpen() && !lease.loseIfOver()) {
                batch.add(lease);
            }
            if (batch.size() == LARGEST_BATCH) {
                renew(batch);
                batch = new ArrayList<>();
            }
        }
        if (!batch.isEmpty()) {
            renew(batch);
        }
    }

    private void renew(List<Renewable> batch) {
        // If the reply is late, the end of each lease must be noticed all the same.
        batch.forEach(lease -> checkIn(lease, remainingNanos(lease)));
        ClockReading sent = ClockReading.now(clock);
        List<RenewRequest> requests =
                batch.stream().map(Renewable::renewRequest).toList();
        store.renew(requests, CallMode.ASYNCHRONOUS)
                .whenComplete((replies, failure) -> answered(batch, requests, sent, replies, failure));
    }

    private void answered(
            List<Renewable> batch,
            List<RenewRequest> requests,
            ClockReading sent,
            @Nullable List<HoldReply> replies,
            @Nullable Throwable failure) {
        batch.forEach(this::forget);
        if (replies == null) {
            failed(batch, Stages.unwrapped(Objects.requireNonNull(failure)));
            return;
        }
        LOG.log(Level.DEBUG, () -> "a renewal of " + batch.size() + " leases was answered");
        for (int i = 0; i < batch.size(); i++) {
            Renewable lease = batch.get(i);
            if (replies.get(i) instanceof HoldReply.Unknown unknown) {
                LOG.log(Level.DEBUG, unknown.detail());
                retry(lease);
            } else if (lease.isOpen() && lease.renewed(sent, requests.get(i).leaseMillis(), replies.get(i))) {
                checkIn(lease, interval(lease) - sent.nanosSince(clock));
            }
        }
    }

    private void failed(List<Renewable> batch, Throwable failure) {
        if (batch.size() > 1 && StoreFailure.isRefusal(failure)) {
            // The server refused the whole batch, perhaps because of one key: renew each lease by itself.
            batch.forEach(lease -> renew(List.of(lease)));
            return;
        }
        LOG.log(Level.DEBUG, "a renewal of {0} leases had no reply: {1}", batch.size(), failure.getMessage());
        batch.forEach(this::retry);
    }

    private void retry(Renewable lease) {
        if (lease.isOpen() && !lease.loseIfOver()) {
            long pause = Math.max(SHORTEST_RETRY_NANOS, Math.min(interval(lease) / 4, LONGEST_RETRY_NANOS));
            checkIn(lease, Math.min(pause, remainingNanos(lease)));
        }
    }

    private long remainingNanos(Renewable lease) {
        return lease.validity().remainingNanos(clock);
    }

    /** A lease without expiry is checked too, so that its loss is noticed. */
    private static boolean isCheckedRegularly(Renewable lease) {
        return lease.isRenewed() || lease.leaseMillis() == AcquireRequest.NO_EXPIRY;
    }

    private static long interval(Renewable lease) {
        long millis = lease.leaseMillis() == AcquireRequest.NO_EXPIRY
                ? LockOptions.DEFAULT_LEASE.toMillis()
                : lease.leaseMillis();
        return TimeUnit.MILLISECONDS.toNanos(millis) / RENEWALS_PER_LEASE;
    }
}
