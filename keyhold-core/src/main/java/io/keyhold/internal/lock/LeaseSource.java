package io.keyhold.internal.lock;

import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LeaseTask;
import io.keyhold.LockOptions;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.lease.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** What locks and semaphores have in common: the ways to acquire one lease, and to work under it. */
abstract class LeaseSource {

    final Operations operations;
    final Subject subject;
    private final LockOptions holding;
    private final WaitPlan wait;

    /**
     * Creates a source of leases.
     *
     * @param subject what is acquired by a request that belongs to no thread
     * @param holding how it is held
     * @param wait how it is waited for, unless a call says otherwise
     */
    LeaseSource(Operations operations, Subject subject, LockOptions holding, WaitPlan wait) {
        this.operations = operations;
        this.subject = subject;
        this.holding = holding;
        this.wait = wait;
    }

    /** Returns what this thread asks for: it may hold something that makes a difference. */
    Subject forThisThread() {
        return subject;
    }

    final AcquireSpec ask(Subject what, WaitPlan plan) {
        return new AcquireSpec(what, holding, plan);
    }

    final WaitPlan waiting() {
        return wait;
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

    public final void run(Runnable work) throws InterruptedException {
        Preconditions.given(work, "work");
        run(lease -> work.run());
    }

    public final void run(Consumer<Lease> work) throws InterruptedException {
        Preconditions.given(work, "work");
        this.<Lease, RuntimeException>holding(lease -> {
            work.accept(lease);
            return lease;
        });
    }

    public final <T> T call(Callable<T> work) throws Exception {
        Preconditions.given(work, "work");
        return this.<T, Exception>holding(lease -> work.call());
    }

    public final <T> T call(LeaseTask<T> work) throws Exception {
        Preconditions.given(work, "work");
        return this.<T, Exception>holding(work::call);
    }

    private interface Work<T, X extends Exception> {
        T under(Lease lease) throws X;
    }

    private <T, X extends Exception> T holding(Work<T, X> work) throws X, InterruptedException {
        Lease lease = acquire();
        T result;
        try {
            result = work.under(lease);
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
