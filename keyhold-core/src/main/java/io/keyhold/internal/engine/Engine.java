package io.keyhold.internal.engine;

import io.keyhold.KeyholdClock;
import io.keyhold.KeyholdClosedException;
import io.keyhold.KeyholdException;
import io.keyhold.KeyholdListener;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LocalSnapshot;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.internal.Formats;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.engine.acquire.AcquireFailures;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.LeaseRequest;
import io.keyhold.internal.engine.acquire.Requests;
import io.keyhold.internal.engine.event.Listeners;
import io.keyhold.internal.engine.event.RequestEvents;
import io.keyhold.internal.engine.lease.CohortHold;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.engine.lease.Leases;
import io.keyhold.internal.engine.lease.StoreAccess;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.engine.lease.Validity;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.time.AsynchronousCaller;
import io.keyhold.internal.time.BlockingCaller;
import io.keyhold.internal.time.Callbacks;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The engine of one client: its store, its time, its pending requests and its leases, with what the primitives call, in a blocking and an
 * asynchronous form.
 */
public final class Engine implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    /** Together with the next one, closing ends within 5 s, also if the server does not reply. */
    private static final long RELEASE_ALL_NANOS = TimeUnit.MILLISECONDS.toNanos(3_500);
    /** Background releases end with their lease anyway, and may be meant for a server that is dead. */
    private static final long BACKGROUND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final StoreAccess store;
    private final KeyholdClock clock;
    private final Callbacks callbacks;
    private final AsynchronousCaller asynchronously;
    final Requests requests;
    private final Leases leases;

    /** Creates an engine whose time and random numbers come from outside. */
    public Engine(
            LockStore store,
            KeyholdClock clock,
            Scheduler scheduler,
            Executor callbackExecutor,
            TokenText tokens,
            RandomGenerator random,
            Listeners.Setup listeners) {
        this.store = new StoreAccess(store, scheduler);
        this.clock = clock;
        this.callbacks = new Callbacks(callbackExecutor);
        this.asynchronously = new AsynchronousCaller(scheduler);
        this.requests = new Requests(
                this.store,
                clock,
                asynchronously,
                callbacks,
                tokens,
                random,
                Listeners.of(listeners, callbacks, clock));
        this.leases = requests.leases();
    }

    @Override
    public void close() {
        if (!store.close()) {
            return;
        }
        // Requests first: each of them either fails, or has become a lease that is seen below.
        List<CompletableFuture<?>> ends = requests.failAll();
        // Together: a request without a reply must not use up the time for releases.
        ends.addAll(leases.releaseAll());
        awaitQuietly(ends, RELEASE_ALL_NANOS);
        // Again: a hold that ended meanwhile may have been handed over to a request that had failed, which releases it.
        List<CompletableFuture<?>> rest = leases.releaseAll();
        rest.add(store().settled().toCompletableFuture());
        awaitQuietly(rest, BACKGROUND_NANOS);
        requests.close();
        store().close();
        asynchronously.scheduler().close();
        callbacks.close();
    }

    /** Waits despite interrupts: an interrupted thread has to release too. */
    private void awaitQuietly(List<CompletableFuture<?>> ends, long nanos) {
        CompletableFuture<Boolean> done = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                .handle((nothing, failure) -> failure == null);
        BlockingCaller caller = new BlockingCaller();
        if (!done.isDone()) {
            asynchronously.later(nanos, () -> done.complete(false));
            caller.later(nanos, () -> done.complete(false)); // This may be the timer's own thread, in a callback.
        }
        if (!caller.awaitUninterruptibly(done)) {
            LOG.log(Level.INFO, "not everything could be released while closing; the rest ends with its lease");
        }
    }

    /** Returns where its locks live. */
    public LockStore store() {
        return store.store();
    }

    /** Returns a lease that belongs to this thread, or empty if time or attempts are spent. */
    public Optional<Lease> tryAcquire(AcquireSpec spec) throws InterruptedException {
        if (!spec.plan().waits() && isHeldByThisThread(spec)) {
            return Optional.empty();
        }
        return acquired(spec, (request, lease) -> lease.map(held -> held));
    }

    /** Returns a lease that belongs to this thread, or throws {@link io.keyhold.AcquireTimeoutException}. */
    public HeldLease acquire(AcquireSpec spec) throws InterruptedException {
        return acquired(spec, (request, lease) -> lease.orElseThrow(request::timeout));
    }

    /** Makes one attempt, ignoring interrupts. The lease belongs to this thread. */
    public Optional<Lease> tryAcquireOnce(AcquireSpec spec) {
        if (isHeldByThisThread(spec)) {
            return Optional.empty();
        }
        return attempt(spec, Thread.currentThread()).map(leases::own);
    }

    /** Makes one attempt, ignoring interrupts. The lease belongs to no thread. */
    public Optional<HeldLease> tryAcquireForNoThread(AcquireSpec spec) {
        return attempt(spec, null);
    }

    private Optional<HeldLease> attempt(AcquireSpec spec, @Nullable Thread owner) {
        BlockingCaller caller = new BlockingCaller();
        return caller.awaitUninterruptibly(requests.start(spec, caller, owner).outcome());
    }

    /** Returns whether an attempt that does not wait fails as it would for a lock of another thread, and tells the listeners of it. */
    private boolean isHeldByThisThread(AcquireSpec spec) {
        if (leases.deadlock(spec.subject()).isEmpty()) {
            return false;
        }
        requests.heldByThisThread(spec);
        return true;
    }

    private <T> T acquired(AcquireSpec spec, BiFunction<LeaseRequest, Optional<HeldLease>, T> result)
            throws InterruptedException {
        leases.refuseDeadlock(spec.subject());
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        BlockingCaller caller = new BlockingCaller();
        LeaseRequest request = requests.start(spec, caller, Thread.currentThread());
        try {
            return result.apply(request, caller.await(decided(request)).map(leases::own));
        } catch (InterruptedException e) {
            request.withdraw();
            if (!request.outcome().isCancelled() && !request.outcome().isCompletedExceptionally()) {
                // The grant and the interrupt crossed: the caller gets the interrupt, so the lock goes back.
                request.outcome().join().ifPresent(HeldLease::releaseQuietly);
            }
            // A command may be in flight. A caller that catches the interrupt can rely on nothing being left behind.
            new BlockingCaller().awaitUninterruptibly(request.settled());
            throw e;
        }
    }

    /** Returns the outcome. If the time is up, it completes only when the queue entry has been withdrawn. */
    private static CompletableFuture<Optional<HeldLease>> decided(LeaseRequest request) {
        return request.outcome()
                .thenCompose(lease -> lease.isPresent()
                        ? request.outcome()
                        : request.settled().thenApply(settled -> lease));
    }

    /** Returns a lease that belongs to no thread, or empty if time or attempts are spent. */
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(AcquireSpec spec) {
        return forUser(() -> requests.start(spec, asynchronously, null), (request, lease) -> lease.map(held -> held));
    }

    /** Returns a lease that belongs to no thread, or fails with {@link io.keyhold.AcquireTimeoutException}. */
    public CompletableFuture<Lease> acquireAsync(AcquireSpec spec) {
        return forUser(
                () -> requests.start(spec, asynchronously, null),
                (request, lease) -> lease.orElseThrow(request::timeout));
    }

    /** Acquires as {@link #acquireAsync} does, for a request that no user has made: no user code runs on this thread. */
    public CompletableFuture<Lease> acquireByClient(AcquireSpec spec) {
        return forUser(
                () -> requests.startByClient(spec, asynchronously),
                (request, lease) -> lease.orElseThrow(request::timeout));
    }

    /**
     * The user's future decides here: when it was cancelled, or completed by the user in any other way, the request is
     * withdrawn, and a lease that it does not take is released.
     */
    private <T> CompletableFuture<T> forUser(
            Supplier<LeaseRequest> start, BiFunction<LeaseRequest, Optional<HeldLease>, T> result) {
        CompletableFuture<T> user = new CompletableFuture<>();
        LeaseRequest request;
        try {
            request = start.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        user.whenComplete((value, failure) -> {
            request.withdraw();
            if (failure != null) { // Else the callback below releases it; but that may wait behind blocked user code.
                request.outcome().thenAccept(lease -> lease.ifPresent(HeldLease::releaseAsync));
            }
        });
        decided(request).whenComplete((lease, failure) -> {
            if (request.outcome().isCancelled()) {
                return;
            }
            callbacks.run(() -> {
                try {
                    if (failure != null) {
                        user.completeExceptionally(Stages.unwrapped(failure));
                    } else if (!user.complete(result.apply(request, lease))) {
                        lease.ifPresent(HeldLease::releaseAsync);
                    }
                } catch (RuntimeException e) {
                    user.completeExceptionally(e);
                }
            });
        });
        return user;
    }

    /** Releases a lease. The future completes on no thread of the user's. */
    public CompletableFuture<Boolean> releaseAsync(Lease lease) {
        return ((HeldLease) lease).release(asynchronously);
    }

    /** Throws if the client is closed. */
    public void checkOpen() {
        store.use();
    }

    /** Runs user code on the callback executor, before other user code if the threads are the client's own. */
    public void tellFirst(Runnable userCode) {
        callbacks.runLoss(userCode);
    }

    /** Runs a step later, which must not block. */
    public Scheduler.Timer later(Duration delay, Runnable step) {
        return asynchronously.later(delay.toNanos(), step);
    }

    /** Returns a lease of a hold that this token has already. It belongs to this thread. */
    public Lease adopt(AcquireSpec spec, String token) {
        leases.refuseDeadlock(spec.subject());
        checkOpen();
        RequestEvents events = requests.requested(spec);
        HeldLease lease;
        try {
            lease = adopted(spec, token, events);
        } catch (RuntimeException e) {
            if (events != null) {
                events.notGranted(1, KeyholdListener.NotGranted.Outcome.FAILED, Optional.of(e));
            }
            throw e;
        }
        if (events != null) {
            lease.tellGrant(events);
        }
        return leases.own(lease);
    }

    private HeldLease adopted(AcquireSpec spec, String token, @Nullable RequestEvents events) {
        CohortHold.ParsedToken reading = reading(spec.subject(), token);
        AtomicReference<ClockReading> sending = new AtomicReference<>(ClockReading.now(clock));
        AcquireReply reply = store.awaitRepeatable(caller -> store.store()
                .acquire(spec.adoption(reading.token()), caller.mode(), () -> sending.set(ClockReading.now(clock))));
        if (reply instanceof AcquireReply.Granted granted) {
            ClockReading sent = Objects.requireNonNull(sending.get());
            CohortHold hold = new CohortHold(reading.token(), granted.fencingToken(), reading.handOvers(), sent);
            Validity validity = new Validity(sent, spec.leaseMillis());
            if (validity.remainingNanos(clock) <= 0) {
                String late = spec.subject() + " was adopted, but the reply arrived after its lease had ended";
                throw new LeaseLostException(
                        late,
                        new LeaseLost(
                                spec.subject().name(), token, hold.fencingToken(), LeaseLost.Reason.EXPIRED, late));
            }
            HeldLease lease = leases.begin(new HeldLease.Grant(
                    spec.subject(),
                    spec.options(),
                    hold,
                    1,
                    validity,
                    Thread.currentThread(),
                    // A user may ask again with a custom token: a background release would end that hold.
                    TokenText.read(reading.token()).isPresent() ? HeldLease.Origin.ADOPTED : HeldLease.Origin.CALLERS,
                    false,
                    KeyholdListener.Granted.Path.ADOPTED,
                    events));
            if (store.isClosed()) {
                lease.release(asynchronously);
                throw new KeyholdClosedException("the client was closed while it adopted " + spec.subject());
            }
            return lease;
        }
        if (reply instanceof AcquireReply.OtherLimit other) {
            throw AcquireFailures.otherLimit(spec.subject(), other.limit());
        }
        throw notAdopted(spec, token, (AcquireReply.Busy) reply);
    }

    private static KeyholdException notAdopted(AcquireSpec spec, String token, AcquireReply.Busy busy) {
        Optional<String> holder = busy.holder();
        if (holder.isEmpty() && busy.remainingMillis().isPresent()) {
            // A quarantine: the store tells nothing of the holder, which may well be this token.
            return new StoreUnavailableException(
                    spec.subject() + " cannot be adopted now"
                            + busy.detail().map(": "::concat).orElse(""),
                    false,
                    null);
        }
        String detail = spec.subject() + " cannot be adopted: token " + Formats.token(token)
                + " does not hold it, "
                + holder.map(other -> "but " + Formats.token(other) + " does").orElse("and the lock is free");
        LeaseLost.Reason reason = holder.isPresent() ? LeaseLost.Reason.TAKEN : LeaseLost.Reason.GONE;
        return new LeaseLostException(detail, new LeaseLost(spec.subject().name(), token, 0, reason, detail));
    }

    /** Releases what this token holds of that. Returns whether it did. */
    public boolean release(Subject subject, String token) {
        String stored = reading(subject, token).token();
        return store.await(caller -> store.store()
                .release(ReleaseRequest.of(subject.claim(), stored), caller.mode())
                .thenApply(reply -> reply instanceof HoldReply.Done));
    }

    /** Returns whether this token holds that. */
    public boolean isHeld(Subject subject, String token) {
        return holds(subject, reading(subject, token).token());
    }

    private boolean holds(Subject subject, String stored) {
        return store.renew(RenewRequest.question(subject.claim(), stored)) instanceof HoldReply.Done;
    }

    /** A token that a user chose may look like one of a later hold of a cohort: then the store knows it as it is. */
    private CohortHold.ParsedToken reading(Subject subject, String token) {
        CohortHold.ParsedToken reading = CohortHold.ParsedToken.of(token);
        return reading.handOvers() > 0 && holds(subject, token) ? new CohortHold.ParsedToken(token, 0) : reading;
    }

    /** The token by which this thread holds that, if it does. */
    public Optional<String> heldHere(Subject.Held what) {
        return leases.tokenOfThisThread(what);
    }

    /** Sets how many permits a semaphore has; {@code said} is what this client is configured for. Returns how many it had. */
    public int resize(LockKey key, int said, int permits) {
        int before = store.await(caller -> store.store().resize(key.stored(), said, permits, caller.mode()));
        if (before == Limit.READ_WRITE) {
            throw AcquireFailures.wrongKind("resize semaphore " + key, LockKind.READ_WRITE);
        }
        return before;
    }

    /** Returns the holder of the lock, and its waiters. */
    public LockSnapshot look(String key) {
        return store.awaitRepeatable(caller -> store.store().look(key, caller.mode()));
    }

    /** Returns the holders of the semaphore's permits, and its waiters; empty if there is no semaphore. */
    public Optional<LockSnapshot> lookAtPermits(String key) {
        return store.awaitRepeatable(caller -> store.store().lookAtPermits(key, caller.mode()));
    }

    /** What the store is made of, if it is a quorum. */
    public Optional<QuorumSnapshot> quorum() {
        return store.await(caller -> store.store().quorum());
    }

    /** What this client holds and waits for, by stored key. */
    public List<LocalSnapshot> local() {
        return requests.local();
    }

    /** A page of the locks that are held. */
    public LockStore.Page list(String pattern, String cursor) {
        return store.awaitRepeatable(caller -> store.store().list(pattern, cursor, caller.mode()));
    }

    /** Frees the lock, regardless of its holder. */
    public boolean forceRelease(LockKey key) {
        return store.await(caller -> store.store().forceRelease(key.stored(), caller.mode()));
    }

    /**
     * Frees what this token holds of the lock or semaphore. A key may become one of another kind after it was read: then the token
     * holds nothing there, and nothing is released.
     */
    public boolean forceRelease(LockKey key, String token) {
        Subject lock = Subject.lock(key);
        Subject permits = lock.claiming(Claim.Permits.of(key.stored(), 1, Limit.readWrite()));
        return release(lookAtPermits(key.stored()).isPresent() ? permits : lock, token);
    }

    /** Returns the hold behind a lease; refuses a lease that is not this client's, or not of that, or no longer held. */
    public HeldLease ownHold(Lease lease, Subject what) {
        if (!(lease instanceof HeldLease held)
                || !held.belongsTo(leases)
                || !held.subject().heldAs().equals(what.heldAs())) {
            throw new IllegalArgumentException(
                    "must be a lease of " + what + " that this client acquired, was " + lease);
        }
        if (!held.isHeld()) {
            throw held.lostException();
        }
        return held;
    }

    /** Releases after the work under a lease has ended. Returns its loss, if it was lost before that. */
    public static Optional<LeaseLostException> endWork(HeldLease held) {
        held.releaseQuietly();
        if (held.leaveOwner()) {
            // The interrupt was for the work, which is over, and its news is in the exception.
            Thread.interrupted();
        }
        return held.loss().isPresent() ? Optional.of(held.lostException()) : Optional.empty();
    }
}
