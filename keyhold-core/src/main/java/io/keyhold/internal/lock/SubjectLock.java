package io.keyhold.internal.lock;

import io.keyhold.DistributedLock;
import io.keyhold.Lease;
import io.keyhold.LeaseTask;
import io.keyhold.LockOptions;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.WaitPlan;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A lock on whatever its subject is: one key, one side of a read/write lock, or several keys. */
final class SubjectLock implements DistributedLock {

    private final Operations operations;
    private final ThreadHolds threadHolds;
    private final LockSubject subject;
    private final LockOptions options;

    /** {@code threadHolds} is the client's, so that all views of a subject share their owner. */
    SubjectLock(Operations operations, ThreadHolds threadHolds, LockSubject subject, LockOptions options) {
        this.operations = operations;
        this.threadHolds = threadHolds;
        this.subject = subject;
        this.options = Preconditions.given(options, "options");
    }

    @Override
    public String key() {
        return subject.plain().name();
    }

    @Override
    public LockOptions options() {
        return options;
    }

    @Override
    public DistributedLock with(UnaryOperator<LockOptions.Builder> change) {
        LockOptions.Builder changed = Preconditions.given(change, "change").apply(options.toBuilder());
        return new SubjectLock(operations, threadHolds, subject, changed.build());
    }

    @Override
    public Lease acquire() throws InterruptedException {
        return operations.acquire(ask(WaitPlan.of(options)));
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return operations.tryAcquireOnce(ask(WaitPlan.NONE));
    }

    @Override
    public Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
        return operations.tryAcquire(ask(WaitPlan.of(options).within(Preconditions.maxWait(maxWait))));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return operations.acquireAsync(askForNobody(WaitPlan.of(options)));
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return operations.tryAcquireAsync(askForNobody(WaitPlan.NONE));
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait) {
        return operations.tryAcquireAsync(askForNobody(WaitPlan.of(options).within(Preconditions.maxWait(maxWait))));
    }

    @Override
    public void run(Runnable work) throws InterruptedException {
        UnderLease.run(this::acquire, work);
    }

    @Override
    public void run(Consumer<Lease> work) throws InterruptedException {
        UnderLease.run(this::acquire, work);
    }

    @Override
    public <T> T call(Callable<T> work) throws Exception {
        return UnderLease.call(this::acquire, work);
    }

    @Override
    public <T> T call(LeaseTask<T> work) throws Exception {
        return UnderLease.call(this::acquire, work);
    }

    @Override
    public boolean isLocked() {
        return subject.isHeld(operations);
    }

    @Override
    public boolean release(String token) {
        return operations.release(subject.plain(), Preconditions.token(token));
    }

    @Override
    public Lease adopt(String token) {
        return operations.adopt(new AcquireSpec(subject.plain(), options, WaitPlan.NONE), Preconditions.token(token));
    }

    @Override
    public Lock asLock() {
        return new ThreadOwnedLock(this, threadHolds, subject.plain());
    }

    @Override
    public String toString() {
        return subject.plain().text();
    }

    /** An asynchronous request belongs to no thread, whatever this one holds. */
    private AcquireSpec askForNobody(WaitPlan wait) {
        return new AcquireSpec(subject.plain(), options, wait);
    }

    private AcquireSpec ask(WaitPlan wait) {
        return new AcquireSpec(subject.forThisThread(), options, wait);
    }
}
