package io.keyhold.internal.engine.acquire;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.KeyholdClock;
import io.keyhold.KeyholdListener.NotGranted;
import io.keyhold.inspect.LocalWaiter;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.engine.event.RequestEvents;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.engine.lease.Leases;
import io.keyhold.internal.engine.lease.StoreAccess;
import io.keyhold.internal.store.BackgroundReleaser;
import io.keyhold.internal.store.Snapshots;
import io.keyhold.internal.time.AsynchronousCaller;
import io.keyhold.internal.time.Caller;
import io.keyhold.internal.time.SerialExecutor;
import io.keyhold.spi.CallMode;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lease, from its start to its outcome: a lease, nothing (out of time or attempts), or a failure. Events come from
 * different threads; each is a step of {@link #steps}, which runs one at a time, so two events never meet.
 */
public abstract class LeaseRequest {

    final Services services;
    final AcquireSpec spec;
    final Caller caller;
    /** The thread that the lease will belong to, if any. */
    final @Nullable Thread owner;
    /** Told of the end of the lease; null if there are no listeners, or the lease is a part of another. */
    final @Nullable RequestEvents events;

    final WaitPlan.Deadline deadline;
    final StoreContact contact;
    final CompletableFuture<Optional<HeldLease>> outcome = new CompletableFuture<>();
    final SerialExecutor steps = new SerialExecutor();
    private final CompletableFuture<Void> settled = new CompletableFuture<>();

    /**
     * What requests share.
     *
     * @param settled called for each request when nothing of it is in flight any more
     */
    record Services(
            StoreAccess store,
            KeyholdClock clock,
            AsynchronousCaller asynchronously,
            GrantRouter grants,
            LocalQueues<QueueHead, Acquisition> localQueues,
            Polling polling,
            TokenText tokens,
            Leases leases,
            BackgroundReleaser background,
            Consumer<LeaseRequest> settled) {}

    LeaseRequest(
            Services services,
            AcquireSpec spec,
            Caller caller,
            @Nullable Thread owner,
            @Nullable RequestEvents events) {
        this.services = services;
        this.spec = spec;
        this.caller = caller;
        this.owner = owner;
        this.events = events;
        this.deadline = new WaitPlan.Deadline(spec.plan(), services.clock());
        this.contact = new StoreContact(spec, services.clock());
    }

    /** Starts it. With a blocking caller, the first attempt has been made when this returns. */
    abstract void start();

    /** Returns how many attempts were made. */
    abstract int attempts();

    /** Returns what it waits for. Called by any thread. */
    abstract LocalWaiter.State waitingFor();

    /** Describes it to an operator, with the number of requests ahead of it in the local queue; empty if its outcome is decided. */
    Optional<LocalWaiter> describe(OptionalInt ahead) {
        return outcome.isDone()
                ? Optional.empty()
                : Optional.of(new LocalWaiter(
                        Snapshots.mode(spec.subject().claim()),
                        Snapshots.permits(spec.subject().claim()),
                        spec.options().name(),
                        Instant.ofEpochMilli(deadline.started().wallMillis()),
                        waitingFor(),
                        ahead,
                        Optional.ofNullable(owner).map(Thread::getName)));
    }

    /** Returns the exception of a request that got no lease in time. */
    public abstract AcquireTimeoutException timeout();

    /** A step: the outcome was decided by another thread. */
    abstract void decided();

    /** Returns the outcome. The first completion decides; a lease that comes second is released. */
    public CompletableFuture<Optional<HeldLease>> outcome() {
        return outcome;
    }

    /** Completes when the outcome is decided, no command is in flight, and nothing that is known of is left on the server. */
    public CompletableFuture<Void> settled() {
        return settled;
    }

    /** Gives up, unless the outcome is decided. A later grant is released. */
    public void withdraw() {
        outcome.cancel(false);
        step(this::decided);
    }

    /** Ends with this failure, unless the outcome is decided. */
    void fail(RuntimeException failure) {
        outcome.completeExceptionally(failure);
        step(this::decided);
    }

    /** Reports the outcome when it is decided. The outcome is decided once, so this reports once. */
    void tellOutcome(RequestEvents told) {
        boolean blocking = caller.mode() == CallMode.BLOCKING; // Not later: an interrupted thread is gone by then.
        outcome.whenComplete((lease, failure) -> {
            if (failure == null) {
                lease.ifPresentOrElse(
                        held -> held.tellGrant(told),
                        () -> told.notGranted(
                                attempts(),
                                spec.plan().waits() ? NotGranted.Outcome.TIMED_OUT : NotGranted.Outcome.BUSY,
                                Optional.empty()));
            } else if (outcome.isCancelled()) {
                // A blocking call has no future to cancel: it withdraws because its thread was interrupted.
                told.notGranted(
                        attempts(),
                        blocking ? NotGranted.Outcome.INTERRUPTED : NotGranted.Outcome.CANCELLED,
                        Optional.empty());
            } else {
                told.notGranted(attempts(), NotGranted.Outcome.FAILED, Optional.of(failure));
            }
        });
    }

    void step(Runnable step) {
        caller.execute(() -> steps.run(step));
    }

    void settle() {
        services.settled().accept(this);
        settled.complete(null);
    }

    @Override
    public String toString() {
        return spec.subject().text();
    }
}
