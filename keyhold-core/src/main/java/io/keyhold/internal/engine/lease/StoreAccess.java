package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdClosedException;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.BlockingCaller;
import io.keyhold.internal.time.Caller;
import io.keyhold.internal.time.ConcurrencyLimit;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.Stages;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** The client's store, and the rules by which the client uses it: how many calls at a time, and none after closing. */
public final class StoreAccess {

    /** A driver with blocking I/O has few threads for asynchronous calls, and fails a call that waits for two seconds. */
    private static final int AT_A_TIME = 64;

    private static final long TRIM_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LockStore store;
    private final Scheduler scheduler;
    private final ConcurrencyLimit acquires = new ConcurrencyLimit(AT_A_TIME);
    /** A limit of its own: requests that wait for a lock must not delay releases. */
    private final ConcurrencyLimit releases = new ConcurrencyLimit(AT_A_TIME);

    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean trimming = new AtomicBoolean();
    private volatile boolean usedSinceTrim;

    public StoreAccess(LockStore store, Scheduler scheduler) {
        this.store = store;
        this.scheduler = scheduler;
    }

    public LockStore store() {
        return store;
    }

    /** Asks for a lock. Asynchronous calls, of which there may be thousands, take turns. */
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, Caller caller, Runnable sending) {
        return caller.mode() == CallMode.BLOCKING
                ? store.acquire(request, CallMode.BLOCKING, sending)
                : acquires.submit(() -> store.acquire(request, CallMode.ASYNCHRONOUS, sending));
    }

    /** Releases; in the same way, because closing a client releases everything at once. */
    public CompletionStage<HoldReply> release(ReleaseRequest request, Caller caller) {
        return caller.mode() == CallMode.BLOCKING
                ? store.release(request, CallMode.BLOCKING)
                : releases.submit(() -> store.release(request, CallMode.ASYNCHRONOUS));
    }

    /** Renews one hold, or asks whether it still is one, and waits for the reply. */
    public HoldReply renew(RenewRequest request) {
        return awaitRepeatable(caller ->
                store.renew(List.of(request), caller.mode()).thenApply(replies -> StoreFailure.known(replies.get(0))));
    }

    /** Runs one operation and waits for it, ignoring interrupts. */
    public <T> T await(Function<Caller, CompletionStage<T>> operation) {
        checkOpen();
        return awaitRelease(operation);
    }

    /** Releases and waits for it, ignoring interrupts. Also while the client closes: the holder may be done sooner than {@link Leases#releaseAll}. */
    public <T> T awaitRelease(Function<Caller, CompletionStage<T>> operation) {
        noteUse();
        BlockingCaller caller = new BlockingCaller();
        return caller.awaitUninterruptibly(operation.apply(caller).toCompletableFuture());
    }

    /** Runs an idempotent operation like {@link #await}, and repeats it once if the connection was closed or the server is not serving. */
    public <T> T awaitRepeatable(Function<Caller, CompletionStage<T>> operation) {
        return await(caller -> Stages.recover(
                operation.apply(caller),
                failure -> StoreFailure.isWorthRepeating(failure)
                        ? operation.apply(caller)
                        : CompletableFuture.failedStage(failure)));
    }

    /** Notes a use of the store; throws if the client is closed. */
    public void use() {
        checkOpen();
        noteUse();
    }

    private void checkOpen() {
        if (closed.get()) {
            throw new KeyholdClosedException("the client is closed");
        }
    }

    /** The connections that a burst of work needed are closed some seconds after it. Called at each request, so it costs next to nothing. */
    private void noteUse() {
        if (!usedSinceTrim) {
            usedSinceTrim = true;
        }
        if (!trimming.get() && trimming.compareAndSet(false, true)) {
            startTrimming();
        }
    }

    /** Sets the first timer of a client before its first request is sent: a lease without a timer is neither renewed nor reported as lost. */
    private void startTrimming() {
        try {
            scheduler.schedule(TRIM_NANOS, this::trim);
        } catch (Throwable e) {
            trimming.set(false); // The next request tries again.
            throw e;
        }
    }

    /** Runs until a whole period has passed without a use, so that the last use is trimmed too. */
    private void trim() {
        store.trim();
        if (usedSinceTrim) {
            usedSinceTrim = false;
            scheduler.schedule(TRIM_NANOS, this::trim);
        } else {
            trimming.set(false);
        }
    }

    public boolean isClosed() {
        return closed.get();
    }

    /** Refuses calls from now on. Returns false if it did before. The store itself stays open, for releases. */
    public boolean close() {
        return closed.compareAndSet(false, true);
    }
}
