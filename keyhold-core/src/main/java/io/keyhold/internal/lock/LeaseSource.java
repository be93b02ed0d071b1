package io.keyhold.internal.lock;

import io.keyhold.CheckedCallable;
import io.keyhold.CheckedRunnable;
import io.keyhold.Lease;
import io.keyhold.LeaseCallable;
import io.keyhold.LeaseLostException;
import io.keyhold.LeaseRunnable;
import io.keyhold.LockOptions;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.engine.lease.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What locks and semaphores have in common: the ways to acquire one lease, and to work under it. */
abstract class LeaseSource {

    final Operations operations;
    final Subject subject;
    final LockOptions holding;
    /** How it is waited for, unless a call says otherwise. */
    final WaitPlan wait;

    /** Creates a source of leases. {@code subject} is what is acquired by a request that belongs to no thread. */
    LeaseSource(Operations operations, Subject subject, LockOptions holding) {
        this.operations = operations;
        this.subject = subject;
        this.holding = holding;
        this.wait = WaitPlan.of(holding);
    }

    /** Returns what this thread asks for: it may hold something that makes a difference. */
    Subject forThisThread() {
        return subject;
    }

    final AcquireSpec ask(Subject what, WaitPlan plan) {
        return new AcquireSpec(what, holding, plan);
    }

    final WaitPlan waiting(Duration maxWait) {
        return wait.within(Preconditions.maxWait(maxWait));
    }

    public final Lease acquire() throws InterruptedException {
        return operations.acquire(ask(forThisThread(), wait));
    }

    public final Optional<Lease> tryAcquire() {
        return operations.tryAcquireOnce(ask(forThisThread(), WaitPlan.NONE));
    }

    public final Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
        return operations.tryAcquire(ask(forThisThread(), waiting(maxWait)));
    }

    public final CompletableFuture<Lease> acquireAsync() {
        return operations.acquireAsync(ask(subject, wait));
    }

    public final CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return operations.tryAcquireAsync(ask(subject, WaitPlan.NONE));
    }

    public final CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait) {
        return operations.tryAcquireAsync(ask(subject, waiting(maxWait)));
    }

    public final boolean release(String token) {
        return operations.release(subject, Preconditions.token(token));
    }

    public final Lease adopt(String token) {
        return operations.adopt(ask(subject, WaitPlan.NONE), Preconditions.token(token));
    }

    public final <X extends Exception> void run(CheckedRunnable<X> work) throws X, InterruptedException {
        Preconditions.given(work, "work");
        run(lease -> work.run());
    }

    public final <X extends Exception> void run(LeaseRunnable<X> work) throws X, InterruptedException {
        Preconditions.given(work, "work");
        this.<Lease, X>call(lease -> {
            work.run(lease);
            return lease;
        });
    }

    public final <T extends @Nullable Object, X extends Exception> T call(CheckedCallable<T, X> work)
            throws X, InterruptedException {
        Preconditions.given(work, "work");
        return call(lease -> work.call());
    }

    public final <T extends @Nullable Object, X extends Exception> T call(LeaseCallable<T, X> work)
            throws X, InterruptedException {
        Preconditions.given(work, "work");
        HeldLease lease = operations.acquire(ask(forThisThread(), wait));
        T result;
        try {
            result = work.call(lease);
        } catch (Throwable thrown) {
            Operations.endWork(lease).ifPresent(thrown::addSuppressed);
            throw thrown;
        }
        Optional<LeaseLostException> loss = Operations.endWork(lease);
        if (loss.isPresent()) {
            throw loss.get();
        }
        return result;
    }

    @Override
    public final String toString() {
        return subject.text();
    }
}
