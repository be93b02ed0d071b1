package io.keyhold.internal.engine;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.engine.acquire.Requests;
import io.keyhold.internal.engine.event.Listeners;
import io.keyhold.internal.engine.lease.StoreAccess;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.time.AsynchronousCaller;
import io.keyhold.internal.time.BlockingCaller;
import io.keyhold.internal.time.Callbacks;
import io.keyhold.internal.time.Scheduler;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The engine of one client: its store, its time, its pending requests and its leases. {@link Operations} is the way in. */
public final class Engine implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    /** Together with the next one, closing ends within 5 s, also if the server does not reply. */
    private static final long RELEASE_ALL_NANOS = TimeUnit.MILLISECONDS.toNanos(3_500);
    /** Background releases end with their lease anyway, and may be meant for a server that is dead. */
    private static final long BACKGROUND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final StoreAccess store;
    private final Scheduler scheduler;
    private final Callbacks callbacks;
    private final AsynchronousCaller asynchronously;
    final Requests requests;
    private final Operations operations;

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
        this.scheduler = scheduler;
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
        this.operations = new Operations(this.store, requests, clock, asynchronously, callbacks);
    }

    @Override
    public void close() {
        if (!store.close()) {
            return;
        }
        // Requests first: each of them either fails, or has become a lease that is seen below.
        List<CompletableFuture<?>> ends = requests.failAll();
        // Together: a request without a reply must not use up the time for releases.
        ends.addAll(requests.leases().releaseAll());
        awaitQuietly(ends, RELEASE_ALL_NANOS);
        awaitQuietly(List.of(store().settled().toCompletableFuture()), BACKGROUND_NANOS);
        requests.close();
        store().close();
        scheduler.close();
        callbacks.close();
    }

    /** Waits despite interrupts: an interrupted thread has to release too. */
    private void awaitQuietly(List<CompletableFuture<?>> ends, long nanos) {
        CompletableFuture<Boolean> done = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                .handle((nothing, failure) -> failure == null);
        BlockingCaller caller = new BlockingCaller();
        if (!done.isDone()) {
            scheduler.schedule(nanos, () -> done.complete(false));
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

    /** Returns what the primitives call. */
    public Operations operations() {
        return operations;
    }
}
