package io.keyhold.internal.lock;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Lease;
import io.keyhold.LeaseTask;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Ask;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.engine.Subject;
import io.keyhold.internal.engine.WaitPlan;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Permits that clients share. */
final class Semaphore implements DistributedSemaphore {

    private final Operations operations;
    private final LockKey key;
    private final SemaphoreOptions options;
    private final LockOptions holding;

    Semaphore(Operations operations, LockKey key, SemaphoreOptions options) {
        this.operations = operations;
        this.key = key;
        this.options = Preconditions.given(options, "options");
        this.holding = holding(options);
    }

    /** How its permits are held, in the words of locks. */
    private static LockOptions holding(SemaphoreOptions options) {
        LockOptions.Builder builder = LockOptions.builder()
                .lease(options.lease())
                .renew(options.isRenewed())
                .interruptOnLoss(options.interruptOnLoss());
        options.onLost().ifPresent(builder::onLost);
        return builder.build();
    }

    @Override
    public String key() {
        return key.name();
    }

    @Override
    public SemaphoreOptions options() {
        return options;
    }

    @Override
    public DistributedSemaphore with(UnaryOperator<SemaphoreOptions.Builder> change) {
        SemaphoreOptions.Builder changed = Preconditions.given(change, "change").apply(options.toBuilder());
        return new Semaphore(operations, key, changed.build());
    }

    @Override
    public Lease acquire() throws InterruptedException {
        return acquire(1);
    }

    @Override
    public Lease acquire(int permits) throws InterruptedException {
        return operations.acquire(ask(permits, WaitPlan.of(options)));
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return tryAcquire(1);
    }

    @Override
    public Optional<Lease> tryAcquire(int permits) {
        return operations.tryAcquireOnce(ask(permits, WaitPlan.NONE));
    }

    @Override
    public Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException {
        return tryAcquire(1, maxWait);
    }

    @Override
    public Optional<Lease> tryAcquire(int permits, Duration maxWait) throws InterruptedException {
        return operations.tryAcquire(ask(permits, within(maxWait)));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return acquireAsync(1);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(int permits) {
        return operations.acquireAsync(ask(permits, WaitPlan.of(options)));
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return tryAcquireAsync(1);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(int permits) {
        return operations.tryAcquireAsync(ask(permits, WaitPlan.NONE));
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait) {
        return tryAcquireAsync(1, maxWait);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(int permits, Duration maxWait) {
        return operations.tryAcquireAsync(ask(permits, within(maxWait)));
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
    public int availablePermits() {
        return operations.lookAtPermits(key).map(LockSnapshot::availablePermits).orElse(options.permits());
    }

    @Override
    public boolean isHeld(String token) {
        return operations.isHeld(subject(1), Preconditions.token(token));
    }

    @Override
    public boolean release(String token) {
        return operations.release(subject(1), Preconditions.token(token));
    }

    @Override
    public Lease adopt(String token) {
        return operations.adopt(new Ask(subject(1), holding, WaitPlan.NONE), Preconditions.token(token));
    }

    @Override
    public int resize(int permits) {
        return operations.resize(key, options.permits(), Preconditions.permits(permits));
    }

    @Override
    public String toString() {
        return "semaphore " + key;
    }

    private Ask ask(int permits, WaitPlan plan) {
        int most = options.joinsExisting() ? Integer.MAX_VALUE : options.permits();
        return new Ask(subject(Preconditions.permitsOf(permits, most)), holding, plan);
    }

    private WaitPlan within(Duration maxWait) {
        return WaitPlan.of(options).within(Preconditions.maxWait(maxWait));
    }

    private Subject subject(int permits) {
        Limit.IfOther ifOther = options.joinsExisting() ? Limit.IfOther.JOIN : Limit.IfOther.REFUSE;
        Claim claim = Claim.Permits.of(key.stored(), permits, new Limit(options.permits(), ifOther));
        return new Subject(key.name(), "semaphore " + key, claim, List.of(), List.of());
    }
}
