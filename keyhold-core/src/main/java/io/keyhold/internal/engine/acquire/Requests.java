package io.keyhold.internal.engine.acquire;

import io.keyhold.Fairness;
import io.keyhold.KeyholdClock;
import io.keyhold.KeyholdClosedException;
import io.keyhold.KeyholdListener;
import io.keyhold.inspect.LocalSnapshot;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.engine.event.Listeners;
import io.keyhold.internal.engine.event.RequestEvents;
import io.keyhold.internal.engine.lease.LeaseRenewer;
import io.keyhold.internal.engine.lease.Leases;
import io.keyhold.internal.engine.lease.StoreAccess;
import io.keyhold.internal.store.BackgroundReleaser;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.time.AsynchronousCaller;
import io.keyhold.internal.time.Callbacks;
import io.keyhold.internal.time.Caller;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The pending requests of one client, and what they share. */
public final class Requests {

    /** In an outage there may be thousands, each waiting for a time-out, and they must not delay renewals. */
    private static final int BACKGROUND_AT_A_TIME = 2;

    private final StoreAccess store;
    final GrantRouter grants;
    final LocalQueues<QueueHead, Acquisition> localQueues =
            new LocalQueues<>(request -> request.outcome().isDone());
    private final Leases leases;
    private final LeaseRequest.Services services;
    private final @Nullable Listeners listeners;
    private final Set<LeaseRequest> pending = ConcurrentHashMap.newKeySet();

    public Requests(
            StoreAccess store,
            KeyholdClock clock,
            AsynchronousCaller asynchronously,
            Callbacks callbacks,
            TokenText tokens,
            RandomGenerator random,
            @Nullable Listeners listeners) {
        this.store = store;
        this.listeners = listeners;
        LockStore locks = store.store();
        Scheduler scheduler = asynchronously.scheduler();
        BackgroundReleaser background = new BackgroundReleaser(
                request -> locks.release(request, CallMode.ASYNCHRONOUS),
                locks::grantSource,
                clock,
                scheduler,
                BACKGROUND_AT_A_TIME,
                Integer.MAX_VALUE); // A hold without expiry must be released, however many there are.
        this.grants = new GrantRouter(locks, clock, scheduler);
        this.leases = new Leases(
                store,
                clock,
                callbacks,
                asynchronously,
                new LeaseRenewer(locks, scheduler, clock, listeners),
                background,
                grants,
                localQueues::next);
        this.services = new LeaseRequest.Services(
                store,
                clock,
                asynchronously,
                grants,
                localQueues,
                new Polling(random),
                tokens,
                leases,
                background,
                pending::remove);
    }

    /** Returns the leases that came of the requests. */
    public Leases leases() {
        return leases;
    }

    /** Starts a request; {@code owner} is the thread that the lease will belong to, if any. */
    public LeaseRequest start(AcquireSpec spec, Caller caller, @Nullable Thread owner) {
        refuse(spec);
        return start(spec, caller, owner, requested(spec));
    }

    /** Starts a request that the client itself makes, for no thread, and perhaps on its timer thread. */
    public LeaseRequest startByClient(AcquireSpec spec, Caller caller) {
        refuse(spec);
        Listeners told = listeners;
        RequestEvents events = told == null
                ? null
                : told.requestedByClient(spec.subject().claim(), spec.options().name());
        return start(spec, caller, null, events);
    }

    /** Tells the listeners of a request, on this thread. Returns the way to tell them how it ends; null if there are none. */
    public @Nullable RequestEvents requested(AcquireSpec spec) {
        Listeners told = listeners;
        return told == null
                ? null
                : told.requested(spec.subject().claim(), spec.options().name());
    }

    /** Tells the listeners of an attempt that fails before it becomes a request: its own thread holds the lock. */
    public void heldByThisThread(AcquireSpec spec) {
        RequestEvents events = requested(spec);
        if (events != null) {
            events.notGranted(0, KeyholdListener.NotGranted.Outcome.BUSY, Optional.empty());
        }
    }

    private LeaseRequest start(
            AcquireSpec spec, Caller caller, @Nullable Thread owner, @Nullable RequestEvents events) {
        LeaseRequest request = spec.subject().claim() instanceof Claim.Locks locks && spec.queues()
                ? new MultiLockAcquisition(services, spec, locks, caller, owner, events)
                : new Acquisition(services, spec, caller, owner, events);
        if (events != null) {
            request.tellOutcome(events);
        }
        pending.add(request);
        if (store.isClosed()) {
            request.fail(new KeyholdClosedException("the client is closed"));
        } else {
            request.start();
        }
        return request;
    }

    /**
     * Refuses every request if the client is closed, and what the store cannot do: before it enters the local queue, because a request there
     * shares its failure with those behind it.
     */
    private void refuse(AcquireSpec spec) {
        store.use();
        if (store.store().usesTokensOnce() && spec.options().token().isPresent()) {
            throw new UnsupportedOperationException(
                    "custom tokens are not supported on a quorum: a delayed release from an earlier attempt could"
                            + " release a later hold");
        }
        if (!store.store().keepsOrder() && spec.options().fairness() == Fairness.STRICT) {
            throw new UnsupportedOperationException(
                    "fairness STRICT is not supported on a quorum: each node has a queue of its own");
        }
        store.store().refusal(spec.subject().claim(), spec.leaseMillis()).ifPresent(reason -> {
            throw new UnsupportedOperationException(reason);
        });
    }

    /** Fails all pending requests because the client is closed. Each of the futures ends with one of them. */
    public List<CompletableFuture<?>> failAll() {
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (LeaseRequest request : pending) {
            request.fail(new KeyholdClosedException("the client was closed while it waited for " + request));
            ends.add(request.settled());
        }
        return ends;
    }

    /** Returns what this client holds and waits for, by stored key. */
    public List<LocalSnapshot> local() {
        LocalView view = new LocalView();
        leases.held().forEach(lease -> view.add(lease.subject().claim(), leases.describe(lease)));
        Map<LeaseRequest, Integer> ahead = inLocalQueues();
        pending.forEach(request -> {
            Integer before = ahead.get(request);
            request.describe(before == null ? OptionalInt.empty() : OptionalInt.of(before))
                    .ifPresent(waiter -> view.add(request.spec.subject().claim(), waiter));
        });
        return view.snapshots();
    }

    /** Returns how many requests are ahead of each in its local queue. Each queue is copied once, because that keeps it locked. */
    private Map<LeaseRequest, Integer> inLocalQueues() {
        Map<LeaseRequest, Integer> ahead = new HashMap<>();
        pending.stream()
                .filter(request -> request.spec.usesLocalQueue())
                .map(request -> request.spec.subject().claim().key())
                .distinct()
                .forEach(key -> {
                    int before = 0;
                    for (QueueHead member : localQueues.members(key)) {
                        if (member instanceof Acquisition request) {
                            ahead.put(request, before++);
                        }
                    }
                });
        return ahead;
    }

    /** Closes the grant channel. */
    public void close() {
        grants.close();
    }
}
