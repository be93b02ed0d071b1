package io.keyhold.internal.engine.acquire;

import io.keyhold.Fairness;
import io.keyhold.KeyholdClock;
import io.keyhold.KeyholdClosedException;
import io.keyhold.internal.TokenText;
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
import java.util.List;
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
    private final GrantRouter grants;
    private final LocalQueues<QueueHead, Acquisition> localQueues =
            new LocalQueues<>(request -> request.outcome().isDone());
    private final Leases leases;
    private final LeaseRequest.Services services;
    private final Set<LeaseRequest> pending = ConcurrentHashMap.newKeySet();

    public Requests(
            StoreAccess store,
            KeyholdClock clock,
            AsynchronousCaller asynchronously,
            Callbacks callbacks,
            TokenText tokens,
            RandomGenerator random) {
        this.store = store;
        LockStore locks = store.store();
        Scheduler scheduler = asynchronously.scheduler();
        ServerClock serverClock = new ServerClock(clock);
        BackgroundReleaser background = new BackgroundReleaser(
                request -> locks.release(request, CallMode.ASYNCHRONOUS),
                clock,
                scheduler,
                BACKGROUND_AT_A_TIME,
                Integer.MAX_VALUE); // A hold without expiry must be released, however many there are.
        this.grants = new GrantRouter(locks, clock, scheduler, serverClock);
        this.leases = new Leases(
                store,
                clock,
                callbacks,
                asynchronously,
                new LeaseRenewer(locks, scheduler, clock),
                background,
                grants,
                localQueues::next);
        this.services = new LeaseRequest.Services(
                store,
                clock,
                asynchronously,
                serverClock,
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
        store.use();
        refuseWhatTheStoreCannotDo(spec);
        LeaseRequest request = spec.subject().claim() instanceof Claim.Locks locks && spec.queues()
                ? new MultiLockAcquisition(services, spec, locks, caller, owner)
                : new Acquisition(services, spec, caller, owner);
        pending.add(request);
        if (store.isClosed()) {
            request.fail(new KeyholdClosedException("the client is closed"));
        } else {
            request.start();
        }
        return request;
    }

    private void refuseWhatTheStoreCannotDo(AcquireSpec spec) {
        if (store.store().usesTokensOnce() && spec.options().token().isPresent()) {
            throw new UnsupportedOperationException(
                    "custom tokens are not supported on a quorum: a delayed release from an earlier attempt could"
                            + " release a later hold");
        }
        if (!store.store().keepsOrder() && spec.options().fairness() == Fairness.STRICT) {
            throw new UnsupportedOperationException(
                    "fairness STRICT is not supported on a quorum: each node has a queue of its own");
        }
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

    /** Returns whether no request waits, neither in a local queue nor for a grant. */
    public boolean isIdle() {
        return localQueues.isEmpty() && !grants.hasWaiters();
    }

    /** Closes the grant channel. */
    public void close() {
        grants.close();
    }
}
