package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdClock;
import io.keyhold.KeyholdListener;
import io.keyhold.LockOptions;
import io.keyhold.internal.engine.event.Listeners;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.GrantSource;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases at a third of their length, and reports those whose time is over. The outcome of a renewal is <i>renewed</i>,
 * <i>lost</i> (the store says so), or <i>unknown</i> (no reply): then it is tried again soon, and if the validity of the lease ends
 * meanwhile, the lease is lost, here and now, before another client can have the lock.
 *
 * <p>Renewals that are due at about the same time share a timer and, on one server, a call: a {@link Round}. A lease is renewed at the end of the
 * time slot in which it is due, which is later by at most a thirtieth of its length or a quarter of a second: that costs a tenth of the
 * time that is left for a second attempt, and saves a client with many leases nearly all of its timers and calls.
 */
public final class LeaseRenewer {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final int RENEWALS_PER_LEASE = 3;
    private static final int LARGEST_BATCH = 256;
    private static final long LONGEST_SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long SHORTEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LockStore store;
    private final Scheduler scheduler;
    private final KeyholdClock clock;
    private final @Nullable Listeners listeners;
    /** The next rounds by the monotonic time of their end. Guarded by itself, as are the rounds. */
    private final Map<Long, Round> rounds = new HashMap<>();
    /** The round that became empty last. It is kept, because the next lease will most likely be due in the same time slot. */
    private @Nullable Round spare;

    public LeaseRenewer(LockStore store, Scheduler scheduler, KeyholdClock clock, @Nullable Listeners listeners) {
        this.listeners = listeners;
        this.store = store;
        this.scheduler = scheduler;
        this.clock = clock;
    }

    /** The next check of a lease. */
    interface NextCheck {
        void cancel(HeldLease lease);
    }

    /** Starts to look after this lease. */
    void watch(HeldLease lease) {
        if (isCheckedRegularly(lease)) {
            renewIn(lease, interval(lease) - lease.term().validity().ageNanos(clock));
        } else {
            awaitEnd(lease);
        }
    }

    /** Stops it. */
    void forget(HeldLease lease) {
        NextCheck check = lease.nextCheck;
        if (check != null) {
            check.cancel(lease);
        }
    }

    private void check(HeldLease lease, NextCheck next) {
        lease.nextCheck = next;
        if (!lease.isOpen()) {
            // It ended while the check was being set, and forget() may have run before.
            forget(lease);
        }
    }

    /**
     * Reports the loss of a lease that is not renewed when its time is over. If an extension has prolonged it meanwhile, there is time again for
     * the renewals of a lease that had none left for them.
     */
    private void awaitEnd(HeldLease lease) {
        Scheduler.Timer timer = scheduler.schedule(lease.term().remainingNanos(), () -> {
            if (lease.isOpen() && !lease.loseIfOver()) {
                watch(lease);
            }
        });
        check(lease, ended -> timer.cancel());
    }

    /** Renews this lease with the others of its time slot, or reports its loss if its time is over before. */
    private void renewIn(HeldLease lease, long delayNanos) {
        long delay = Math.max(delayNanos, 0);
        long afterwards = lease.term().remainingNanos() - delay;
        if (afterwards <= 0) {
            awaitEnd(lease);
            return;
        }
        // Slots of all lengths are powers of two, so that a longer one ends together with a shorter one.
        long slot = Long.highestOneBit(Math.max(
                1, Math.min(Math.min(interval(lease) / 10, LONGEST_SLOT_NANOS), afterwards / 2)));
        long now = clock.monotonicNanos();
        long end = (Math.floorDiv(now + delay, slot) + 1) * slot;
        synchronized (rounds) {
            Round round = rounds.computeIfAbsent(end, at -> new Round(at, at - now));
            round.add(lease);
            check(lease, round);
        }
    }

    /**
     * Leases that are renewed at the same time, in the order in which they came. A lease that ends stays in the list until more than
     * half of them have ended: a linked set, which could remove it at once, costs ten times the memory, and most of the work of the garbage
     * collector for a client with many leases.
     */
    private final class Round implements NextCheck {
        /** Below this size, it is not worth the effort to remove leases that have ended. */
        private static final int SMALL = 16;

        private final long end;
        private final List<HeldLease> leases = new ArrayList<>();
        private final Scheduler.Timer timer;
        /** How many of the leases this round will renew: neither cancelled nor renewed yet. */
        private int open;

        Round(long end, long delayNanos) {
            this.end = end;
            this.timer = scheduler.schedule(delayNanos, this::renewAll);
        }

        void add(HeldLease lease) {
            leases.add(lease);
            open++;
        }

        @Override
        public void cancel(HeldLease lease) {
            synchronized (rounds) {
                // Both the end of a lease and the setting of its check may cancel. After the round, none is open.
                if (open == 0 || lease.nextCheck != this) {
                    return;
                }
                lease.nextCheck = null;
                open--;
                if (open == 0) {
                    leases.clear();
                    keepAsSpare();
                } else if (leases.size() > SMALL && leases.size() > 2 * open) {
                    leases.removeIf(each -> each.nextCheck != this);
                }
            }
        }

        private void keepAsSpare() {
            Round before = spare;
            if (before != null && before != this && before.open == 0) {
                rounds.remove(before.end, before);
                before.timer.cancel();
            }
            spare = this;
        }

        private void renewAll() {
            List<HeldLease> due;
            synchronized (rounds) {
                rounds.remove(end, this);
                due = new ArrayList<>(leases);
                leases.clear();
                open = 0;
            }
            due.removeIf(lease -> !lease.isOpen() || lease.loseIfOver());
            for (List<HeldLease> together : bySource(due)) {
                for (int first = 0; first < together.size(); first += LARGEST_BATCH) {
                    renew(together.subList(first, Math.min(together.size(), first + LARGEST_BATCH)));
                }
            }
        }
    }

    /**
     * Returns the leases of each server: a batch has its replies when the last server that it needs has replied, and one that is silent
     * must cost no leases on the others. Most stores have one server, and a client may have very many leases there: they are not copied.
     */
    private Collection<List<HeldLease>> bySource(List<HeldLease> due) {
        GrantSource only = due.isEmpty() ? store : source(due.get(0));
        for (HeldLease lease : due) {
            if (source(lease) != only) {
                return due.stream()
                        .collect(Collectors.groupingBy(this::source, LinkedHashMap::new, Collectors.toList()))
                        .values();
            }
        }
        return List.of(due);
    }

    private GrantSource source(HeldLease lease) {
        return store.grantSource(lease.subject().claim().key());
    }

    /** Reports the loss of leases whose time is over while their renewal is in flight. */
    private final class InFlight {
        private final List<HeldLease> batch;
        private Scheduler.@Nullable Timer timer;
        private boolean replied;

        InFlight(List<HeldLease> batch) {
            this.batch = batch;
            awaitNextEnd();
        }

        private synchronized void awaitNextEnd() {
            long next = Long.MAX_VALUE;
            ClockReading now = ClockReading.now(clock);
            for (HeldLease lease : batch) {
                if (lease.isOpen()) {
                    next = Math.min(next, lease.term().validity().remainingNanos(now));
                }
            }
            if (!replied && next < Long.MAX_VALUE) {
                timer = scheduler.schedule(next, this::loseEnded);
            }
        }

        private void loseEnded() {
            batch.forEach(lease -> {
                if (lease.isOpen()) {
                    lease.loseIfOver();
                }
            });
            awaitNextEnd();
        }

        synchronized void onReply() {
            replied = true;
            if (timer != null) {
                timer.cancel();
            }
        }
    }

    private void renew(List<HeldLease> batch) {
        InFlight inFlight = new InFlight(batch);
        ClockReading sent = ClockReading.now(clock);
        List<RenewRequest> requests = new ArrayList<>(batch.size());
        batch.forEach(lease -> requests.add(lease.renewRequest()));
        store.renew(requests, CallMode.ASYNCHRONOUS).whenComplete((replies, failure) -> {
            inFlight.onReply();
            onReply(batch, requests, sent, replies, failure);
        });
    }

    private void onReply(
            List<HeldLease> batch,
            List<RenewRequest> requests,
            ClockReading sent,
            @Nullable List<HoldReply> replies,
            @Nullable Throwable failure) {
        if (replies == null) {
            failed(batch, sent, Stages.unwrapped(Objects.requireNonNull(failure)));
            return;
        }
        long margin = marginNanos(batch);
        LOG.log(Level.DEBUG, () -> "a renewal of " + batch.size() + " leases has its reply");
        long sinceSent = sent.nanosSince(clock);
        Validity fresh = new Validity(sent, requests.get(0).leaseMillis());
        for (int i = 0; i < batch.size(); i++) {
            HeldLease lease = batch.get(i);
            fresh = fresh.ofLength(requests.get(i).leaseMillis());
            if (replies.get(i) instanceof HoldReply.Unknown unknown) {
                LOG.log(Level.DEBUG, unknown.detail());
                retry(lease);
            } else if (lease.isOpen() && lease.renewed(fresh, replies.get(i))) {
                renewIn(lease, interval(lease) - sinceSent);
            }
        }
        tell(batch, replies, sent, margin);
    }

    private void failed(List<HeldLease> batch, ClockReading sent, Throwable failure) {
        if (batch.size() > 1 && StoreFailure.isRefusal(failure) && !StoreFailure.isNotServing(failure)) {
            // The server refused the whole batch, perhaps because of one key: renew each lease by itself.
            batch.forEach(lease -> renew(List.of(lease)));
            return;
        }
        LOG.log(Level.DEBUG, "a renewal of {0} leases had no reply: {1}", batch.size(), failure.getMessage());
        long margin = marginNanos(batch);
        batch.forEach(this::retry);
        tell(batch, List.of(), sent, margin);
    }

    /** Returns what is left of the lease that ends first; the largest number if none ends, or there are no listeners. */
    private long marginNanos(List<HeldLease> batch) {
        long margin = Long.MAX_VALUE;
        if (listeners != null) {
            for (HeldLease lease : batch) {
                if (lease.isOpen() || lease.loss().isPresent()) {
                    margin = Math.min(margin, Math.max(0, lease.term().remainingNanos()));
                }
            }
        }
        return margin;
    }

    /** Reports a renewal to the listeners; {@code replies} is empty if it has failed. */
    private void tell(List<HeldLease> batch, List<HoldReply> replies, ClockReading sent, long marginNanos) {
        Listeners told = listeners;
        if (told == null) {
            return;
        }
        int renewed = 0;
        int lost = 0;
        int unknown = 0;
        for (int i = 0; i < batch.size(); i++) {
            HeldLease lease = batch.get(i);
            boolean known = !replies.isEmpty() && !(replies.get(i) instanceof HoldReply.Unknown);
            lost += lease.loss().isPresent() ? 1 : 0;
            renewed += lease.isOpen() && known ? 1 : 0;
            unknown += lease.isOpen() && !known ? 1 : 0;
        }
        KeyholdListener.Renewal event = new KeyholdListener.Renewal(
                renewed,
                lost,
                unknown,
                Duration.ofNanos(Math.max(0, clock.monotonicNanos() - sent.monotonicNanos())),
                marginNanos == Long.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofNanos(marginNanos)));
        told.tell(listener -> listener.renewed(event));
    }

    private void retry(HeldLease lease) {
        if (lease.isOpen() && !lease.loseIfOver()) {
            renewIn(lease, Math.max(SHORTEST_RETRY_NANOS, Math.min(interval(lease) / 4, LONGEST_RETRY_NANOS)));
        }
    }

    /** A lease without expiry is checked too, so that its loss is noticed. */
    private static boolean isCheckedRegularly(HeldLease lease) {
        return lease.isRenewed() || lease.term().millis() == AcquireRequest.NO_EXPIRY;
    }

    private static long interval(HeldLease lease) {
        long millis = lease.term().millis() == AcquireRequest.NO_EXPIRY
                ? LockOptions.DEFAULT_LEASE.toMillis()
                : lease.term().millis();
        return TimeUnit.MILLISECONDS.toNanos(millis) / RENEWALS_PER_LEASE;
    }
}
