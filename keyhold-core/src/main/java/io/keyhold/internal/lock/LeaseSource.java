package io.keyhold.internal.lock;

import io.keyhold.CheckedCallable;
import io.keyhold.CheckedRunnable;
import io.keyhold.Lease;
import io.keyhold.LeaseCallable;
import io.keyhold.LeaseLostException;
import io.keyhold.LeaseRunnable;
import io.keyhold.LockOptions;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Engine;
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

    final Engine engine;
    final Subject subject;
    final LockOptions holding;
    /** How it is waited for, unless a call says otherwise. */
    final WaitPlan wait;

    /** Creates a source of leases. {@code subject} is what is acquired by a request that belongs to no thread. */
    LeaseSource(Engine engine, Subject subject, LockOptions holding) {
        this.engine = engine;
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
        return engine.acquire(ask(forThisThread(), wait));
    }

    public final Optional<Lease> tryAcquire() {
        return engine.tryAcquireOnce(ask(forThisThread(), WaitPlan.NONE));
    }

    public final Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
        return engine.tryAcquire(ask(forThisThread(), waiting(maxWait)));
    }

    public final CompletableFuture<Lease> acquireAsync() {
        return engine.acquireAsync(ask(subject, wait));
    }

    public final CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return engine.tryAcquireAsync(ask(subject, WaitPlan.NONE));
    }

    public final CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait) {
        return engine.tryAcquireAsync(ask(subject, waiting(maxWait)));
    }

    public final boolean release(String token) {
        return engine.release(subject, Preconditions.token(token));
    }

    public final Lease adopt(String token) {
        return engine.adopt(ask(subject, WaitPlan.NONE), Preconditions.token(token));
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
        HeldLease lease = engine.acquire(ask(forThisThread(), wait));
        T result;
        try {
            result = work.call(lease);
        } catch (Throwable thrown) {
            Engine.endWork(lease).ifPresent(thrown::addSuppressed);
            throw thrown;
        }
        Optional<LeaseLostException> loss = Engine.endWork(lease);
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
