package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.BackgroundReleaser;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.time.AsynchronousCaller;
import io.keyhold.internal.time.Callbacks;
import io.keyhold.internal.time.Caller;
import io.keyhold.internal.time.ClockReading;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** All leases that this client holds, and what they share: the renewer, the local hand-over, the thread that owns each. */
public final class Leases {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final StoreAccess store;
    private final KeyholdClock clock;
    private final Callbacks callbacks;
    private final AsynchronousCaller asynchronously;
    private final LeaseRenewer renewer;
    private final BackgroundReleaser background;
    private final OwnGrants ownGrants;
    private final LocalHandOver localHandOver;
    private final Function<String, ? extends Optional<? extends LocalWaiter>> nextLocalWaiter;
    private final ThreadLeases<HeldLease> threads = new ThreadLeases<>();
    private final Set<HeldLease> held = ConcurrentHashMap.newKeySet();

    /** {@code nextLocalWaiter} removes and returns the next waiter of the local queue of a key. */
    public Leases(
            StoreAccess store,
            KeyholdClock clock,
            Callbacks callbacks,
            AsynchronousCaller asynchronously,
            LeaseRenewer renewer,
            BackgroundReleaser background,
            OwnGrants ownGrants,
            Function<String, ? extends Optional<? extends LocalWaiter>> nextLocalWaiter) {
        this.store = store;
        this.clock = clock;
        this.callbacks = callbacks;
        this.asynchronously = asynchronously;
        this.renewer = renewer;
        this.background = background;
        this.ownGrants = ownGrants;
        this.localHandOver = new LocalHandOver(clock);
        this.nextLocalWaiter = nextLocalWaiter;
    }

    /** Begins a lease, and looks after it. */
    public HeldLease begin(Grant grant) {
        HeldLease lease = new HeldLease(this, grant);
        held.add(lease);
        renewer.watch(lease);
        return lease;
    }

    /** Returns what is held now. */
    public List<HeldLease> held() {
        return List.copyOf(held);
    }

    /** Makes the thread that acquired the lease its owner; called by that thread, so never for a lease that it does not get. */
    public HeldLease own(HeldLease lease) {
        Thread owner = lease.takenBy();
        if (owner != null && lease.isOpen()) {
            threads.add(lease.subject(), owner, lease);
            if (!lease.isOpen()) {
                disown(lease); // It ended meanwhile, and end() may have run before.
            }
        }
        return lease;
    }

    /** Detaches the lease from its thread. */
    void disown(HeldLease lease) {
        Thread owner = lease.takenBy();
        if (owner != null) {
            threads.remove(lease.subject(), owner, lease);
        }
    }

    /** Ends what this client does for a lease. */
    void end(HeldLease lease) {
        held.remove(lease);
        disown(lease);
        renewer.forget(lease);
    }

    /** Refuses a thread that would wait for itself. */
    public void refuseDeadlock(Subject subject) {
        threads.refuseDeadlock(subject);
    }

    /** Returns the token by which the current thread holds that, if it does. */
    public Optional<String> tokenOfThisThread(Subject.Held what) {
        return threads.ofThisThread(what).map(HeldLease::storedToken);
    }

    /**
     * Ends a hold with other requests of this client behind it. Where allowed, the next of them takes the lock at once and the
     * store is not asked. Otherwise the lock is released, and the next request asks the store after that.
     */
    CompletableFuture<Boolean> handOverOrRelease(HeldLease lease, Caller caller) {
        Optional<? extends LocalWaiter> next =
                nextLocalWaiter.apply(lease.subject().claim().key());
        if (next.isPresent() && mayHandOver(lease, next.get())) {
            LOG.log(Level.DEBUG, () -> lease.subject() + " was handed over inside the client");
            next.get().take(lease.hold().next(), lease.validity());
            return CompletableFuture.completedFuture(true);
        }
        next.ifPresent(LocalWaiter::awaitRelease);
        CompletableFuture<Boolean> released = release(lease, caller);
        next.ifPresent(waiter -> released.whenComplete((outcome, failure) -> waiter.promote(failure)));
        return released;
    }

    private boolean mayHandOver(HeldLease lease, LocalWaiter next) {
        return localHandOver.isAllowed(
                        lease.hold(), lease.validity(), lease.leaseMillis(), lease.isRenewed(), next.options())
                && lease.passToken();
    }

    CompletableFuture<Boolean> release(HeldLease lease, Caller caller) {
        return new Release(store, clock, background, ownGrants, lease, caller).start();
    }

    /** Promotes the next local waiter of a hold that ended without a release: the lock is not the client's any more. */
    void promoteNext(HeldLease lease) {
        nextLocalWaiter.apply(lease.subject().claim().key()).ifPresent(next -> next.promote(null));
    }

    /** Releases in the background what may still be held. */
    void releaseInBackground(HeldLease lease, ReleaseRequest request) {
        background.release(lease.subject(), request, new Validity(ClockReading.now(clock), lease.leaseMillis()));
    }

    StoreAccess store() {
        return store;
    }

    KeyholdClock clock() {
        return clock;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    /** Returns the caller for operations that no thread waits for. */
    AsynchronousCaller asynchronously() {
        return asynchronously;
    }
}
