package io.keyhold.internal.engine;

import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.internal.Formats;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.acquire.AcquireFailures;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.LeaseRequest;
import io.keyhold.internal.engine.lease.CohortHold;
import io.keyhold.internal.engine.lease.Grant;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.engine.lease.Sending;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.engine.lease.Validity;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.BlockingCaller;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.spi.Stages;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the primitives need of the engine, each in its blocking and its asynchronous form. */
public final class Operations {

    private final Engine engine;

    /** On this engine. */
    public Operations(Engine engine) {
        this.engine = engine;
    }

    /** Returns a lease that belongs to this thread, or empty if time or attempts are spent. */
    public Optional<Lease> tryAcquire(AcquireSpec spec) throws InterruptedException {
        return acquired(spec, Operations::decided).map(lease -> lease);
    }

    /** Returns a lease that belongs to this thread, or throws {@link io.keyhold.AcquireTimeoutException}. */
    public Lease acquire(AcquireSpec spec) throws InterruptedException {
        return acquired(
                        spec,
                        request ->
                                decided(request).thenApply(lease -> Optional.of(lease.orElseThrow(request::timeout))))
                .orElseThrow();
    }

    /** Returns the outcome. If the time is up, it completes only when the queue entry has been withdrawn, as for a future. */
    private static CompletableFuture<Optional<HeldLease>> decided(LeaseRequest request) {
        return request.outcome()
                .thenCompose(lease -> lease.isPresent()
                        ? request.outcome()
                        : request.settled().thenApply(settled -> lease));
    }

    /** Makes one attempt, ignoring interrupts. The lease belongs to this thread. */
    public Optional<Lease> tryAcquireOnce(AcquireSpec spec) {
        engine.leases().refuseDeadlock(spec.subject());
        BlockingCaller caller = new BlockingCaller();
        LeaseRequest request = engine.requests().start(spec, caller, Thread.currentThread());
        return caller.awaitUninterruptibly(request.outcome()).map(engine.leases()::own);
    }

    private Optional<HeldLease> acquired(
            AcquireSpec spec, Function<LeaseRequest, CompletableFuture<Optional<HeldLease>>> outcome)
            throws InterruptedException {
        engine.leases().refuseDeadlock(spec.subject());
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        BlockingCaller caller = new BlockingCaller();
        LeaseRequest request = engine.requests().start(spec, caller, Thread.currentThread());
        try {
            return caller.await(outcome.apply(request)).map(engine.leases()::own);
        } catch (InterruptedException e) {
            request.withdraw();
            if (!request.outcome().isCancelled() && !request.outcome().isCompletedExceptionally()) {
                // The grant and the interrupt crossed: the caller gets the interrupt, so the lock goes back.
                request.outcome().join().ifPresent(Lease::close);
            }
            // A command may still be in flight. A caller that catches the interrupt can rely on nothing being left
            // behind.
            new BlockingCaller().awaitUninterruptibly(request.settled());
            throw e;
        }
    }

    /** Returns a lease that belongs to no thread, or empty if time or attempts are spent. */
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(AcquireSpec spec) {
        return forUser(spec, (request, lease) -> Optional.ofNullable(lease));
    }

    /** Returns a lease that belongs to no thread, or fails with {@link io.keyhold.AcquireTimeoutException}. */
    public CompletableFuture<Lease> acquireAsync(AcquireSpec spec) {
        return forUser(spec, (request, lease) -> {
            if (lease == null) {
                throw request.timeout();
            }
            return lease;
        });
    }

    private interface Answer<T> {
        T of(LeaseRequest request, @Nullable HeldLease lease);
    }

    /**
     * The user's future decides here: when it was cancelled, or completed by the user in any other way, the request is
     * withdrawn, and a lease that it does not take is released.
     */
    private <T> CompletableFuture<T> forUser(AcquireSpec spec, Answer<T> answer) {
        CompletableFuture<T> user = new CompletableFuture<>();
        LeaseRequest request;
        try {
            request = engine.requests().start(spec, engine.asynchronously(), null);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        user.whenComplete((value, failure) -> request.withdraw());
        request.outcome().whenComplete((lease, failure) -> {
            if (request.outcome().isCancelled()) {
                return;
            }
            Runnable answered = () -> tell(
                    user,
                    () -> answer.of(request, lease == null ? null : lease.orElse(null)),
                    lease == null ? Optional.empty() : lease,
                    failure);
            if (lease != null && lease.isEmpty()) {
                // As for a thread that has waited: when the time is up, the queue entry has been withdrawn.
                request.settled()
                        .whenComplete((settled, trouble) -> engine.callbacks().run(answered));
            } else {
                engine.callbacks().run(answered);
            }
        });
        return user;
    }

    private static <T> void tell(
            CompletableFuture<T> user, Supplier<T> answer, Optional<HeldLease> lease, @Nullable Throwable failure) {
        try {
            if (failure != null) {
                user.completeExceptionally(Stages.unwrapped(failure));
            } else if (!user.complete(answer.get())) {
                lease.ifPresent(HeldLease::releaseAsync);
            }
        } catch (RuntimeException e) {
            user.completeExceptionally(e);
        }
    }

    /** Returns a lease of a hold that this token has already. It belongs to this thread. */
    public Lease adopt(AcquireSpec spec, String token) {
        engine.leases().refuseDeadlock(spec.subject());
        CohortHold.ParsedToken reading = reading(spec.subject(), token);
        Sending sending = new Sending(engine.clock());
        AcquireReply reply = engine.access()
                .awaitRepeatable(
                        caller -> engine.store().acquire(spec.adoption(reading.token()), caller.mode(), sending));
        if (reply instanceof AcquireReply.Granted granted) {
            ClockReading sent = sending.moment();
            CohortHold hold = new CohortHold(reading.token(), granted.fencingToken(), reading.passes(), sent);
            Validity validity = new Validity(sent, spec.leaseMillis());
            if (validity.remainingNanos(engine.clock()) <= 0) {
                String late = spec.subject() + " was adopted, but the reply arrived after its lease had ended";
                throw new LeaseLostException(
                        late,
                        new LeaseLost(
                                spec.subject().name(), token, hold.fencingToken(), LeaseLost.Reason.EXPIRED, late));
            }
            HeldLease lease = engine.leases()
                    .begin(new Grant(
                            spec.subject(),
                            spec.options(),
                            hold,
                            1,
                            validity,
                            Thread.currentThread(),
                            Grant.Origin.ADOPTED,
                            false));
            if (engine.access().isClosed()) {
                lease.release(engine.asynchronously());
                throw new KeyholdClosedException("the client was closed while it adopted " + spec.subject());
            }
            return engine.leases().own(lease);
        }
        if (reply instanceof AcquireReply.OtherLimit other) {
            throw AcquireFailures.otherLimit(spec.subject(), other.limit());
        }
        Optional<String> holder = ((AcquireReply.Busy) reply).holder();
        String detail = spec.subject() + " cannot be adopted: token " + Formats.cut(token, 200)
                + " does not hold it, "
                + holder.map(other -> "but " + Formats.cut(other, 200) + " does")
                        .orElse("and the lock is free");
        LeaseLost.Reason reason = holder.isPresent() ? LeaseLost.Reason.TAKEN : LeaseLost.Reason.GONE;
        throw new LeaseLostException(detail, new LeaseLost(spec.subject().name(), token, 0, reason, detail));
    }

    /** Releases what this token holds of that. Returns whether it did. */
    public boolean release(Subject subject, String token) {
        String stored = reading(subject, token).token();
        return engine.access()
                .await(caller -> engine.store()
                        .release(ReleaseRequest.of(subject.claim(), stored), caller.mode())
                        .thenApply(reply -> reply instanceof HoldReply.Done));
    }

    /** Returns whether this token holds that. */
    public boolean isHeld(Subject subject, String token) {
        return holds(subject, reading(subject, token).token());
    }

    private boolean holds(Subject subject, String stored) {
        return engine.access()
                .awaitRepeatable(caller -> engine.store()
                        .renew(List.of(RenewRequest.question(subject.claim(), stored)), caller.mode())
                        .thenApply(replies -> StoreFailure.known(replies.get(0)) instanceof HoldReply.Done));
    }

    /** A token that a user chose may look like one of a later hold of a cohort: then the store knows it as it is. */
    private CohortHold.ParsedToken reading(Subject subject, String token) {
        CohortHold.ParsedToken reading = CohortHold.ParsedToken.of(token);
        return reading.passes() > 0 && holds(subject, token) ? new CohortHold.ParsedToken(token, 0) : reading;
    }

    /** The token by which this thread holds that, if it does. */
    public Optional<String> heldHere(Subject.Held what) {
        return engine.leases().tokenOfThisThread(what);
    }

    /** Sets how many permits a semaphore has; {@code said} is what this client is configured for. Returns how many it had. */
    public int resize(LockKey key, int said, int permits) {
        int before = engine.access().await(caller -> engine.store().resize(key.stored(), said, permits, caller.mode()));
        if (before == Limit.READ_WRITE) {
            throw AcquireFailures.readWrite("semaphore " + key);
        }
        return before;
    }

    /** Who holds the lock, and who waits. */
    public LockSnapshot look(String key) {
        return engine.access().awaitRepeatable(caller -> engine.store().look(key, caller.mode()));
    }

    /** Who holds the semaphore's permits, and who waits; empty if there is none. */
    public Optional<LockSnapshot> lookAtPermits(String key) {
        return engine.access().awaitRepeatable(caller -> engine.store().lookAtPermits(key, caller.mode()));
    }

    /** What the store is made of, if it is a quorum. */
    public Optional<QuorumSnapshot> quorum() {
        return engine.access().await(caller -> engine.store().quorum());
    }

    /** A page of the locks that are held. */
    public LockStore.Page list(String pattern, String cursor) {
        return engine.access().awaitRepeatable(caller -> engine.store().list(pattern, cursor, caller.mode()));
    }

    /** Frees the lock, regardless of its holder. */
    public boolean forceRelease(LockKey key) {
        return engine.access().await(caller -> engine.store().forceRelease(key.stored(), caller.mode()));
    }

    /** Refuses a lease that is not held, or that is none of this key's. */
    public static void checkHeld(Lease lease, String key) {
        if (!lease.key().equals(key)) {
            throw new IllegalArgumentException(
                    "must be a lease of '" + Formats.cut(key, 80) + "', was of '" + Formats.cut(lease.key(), 80) + "'");
        }
        if (!lease.isHeld()) {
            throw lostMeanwhile(lease);
        }
    }

    /** Returns the exception for a caller that needs a lease which is not held any more. */
    public static LeaseLostException lostMeanwhile(Lease lease) {
        HeldLease held = (HeldLease) lease;
        held.loseIfOver();
        return held.lostException();
    }

    /** Releases after the work under a lease has ended. Returns its loss, if it was lost before that. */
    public static Optional<LeaseLostException> endWork(Lease lease) {
        HeldLease held = (HeldLease) Objects.requireNonNull(lease);
        held.close();
        if (held.leaveOwner()) {
            // The interrupt was for the work, which is over, and its news is in the exception.
            Thread.interrupted();
        }
        return held.loss().isPresent() ? Optional.of(held.lostException()) : Optional.empty();
    }
}
