package io.keyhold.internal.lock;

import io.keyhold.DistributedLock;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LeaseTask;
import io.keyhold.LockOptions;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Rules;
import io.keyhold.internal.engine.Ask;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.engine.WaitPlan;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The lock that one client holds at a time. */
public final class Mutex implements DistributedLock {

    private final Operations operations;
    private final ThreadHolds threadHolds;
    private final LockKey key;
    private final LockOptions options;

    /** On this key. {@code threadHolds} is the client's, so that all views of a key share their owner. */
    public Mutex(Operations operations, ThreadHolds threadHolds, LockKey key, LockOptions options) {
        this.operations = operations;
        this.threadHolds = threadHolds;
        this.key = key;
        this.options = Rules.given(options, "options");
    }

    @Override
    public String key() {
        return key.name();
    }

    @Override
    public LockOptions options() {
        return options;
    }

    @Override
    public DistributedLock with(UnaryOperator<LockOptions.Builder> change) {
        LockOptions.Builder changed = Rules.given(change, "change").apply(options.toBuilder());
        return new Mutex(operations, threadHolds, key, changed.build());
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
        return operations.tryAcquire(ask(WaitPlan.of(options).within(Rules.maxWait(maxWait))));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return operations.acquireAsync(ask(WaitPlan.of(options)));
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return operations.tryAcquireAsync(ask(WaitPlan.NONE));
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait) {
        return operations.tryAcquireAsync(ask(WaitPlan.of(options).within(Rules.maxWait(maxWait))));
    }

    @Override
    public void run(Runnable work) throws InterruptedException {
        Rules.given(work, "work");
        run(lease -> work.run());
    }

    @Override
    public void run(Consumer<Lease> work) throws InterruptedException {
        Rules.given(work, "work");
        this.<Lease, RuntimeException>holding(lease -> {
            work.accept(lease);
            return lease;
        });
    }

    @Override
    public <T> T call(Callable<T> work) throws Exception {
        Rules.given(work, "work");
        return this.<T, Exception>holding(lease -> work.call());
    }

    @Override
    public <T> T call(LeaseTask<T> work) throws Exception {
        Rules.given(work, "work");
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
    public boolean isLocked() {
        return operations.look(key).hold().isPresent();
    }

    @Override
    public boolean release(String token) {
        return operations.release(key, Rules.token(token));
    }

    @Override
    public Lease adopt(String token) {
        return operations.adopt(ask(WaitPlan.NONE), Rules.token(token));
    }

    @Override
    public Lock asLock() {
        return new ThreadOwnedLock(this, threadHolds, key);
    }

    @Override
    public String toString() {
        return "lock " + key;
    }

    private Ask ask(WaitPlan wait) {
        return new Ask(key, options, wait);
    }
}
