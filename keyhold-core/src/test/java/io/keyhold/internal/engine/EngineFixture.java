package io.keyhold.internal.engine;

import io.keyhold.Fairness;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.engine.acquire.LeaseRequest;
import io.keyhold.internal.engine.acquire.WaitPlan;
import io.keyhold.internal.engine.event.Listeners;
import io.keyhold.internal.time.AsynchronousCaller;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** An engine on one thread: the test controls its time, its store and all its callbacks. */
public final class EngineFixture {

    public final ManualTime time;
    public final TroubledStore store;
    public final Engine engine;

    public EngineFixture() {
        this(new ManualTime(), Runnable::run);
    }

    /** {@code callbacks} runs the code of users. */
    public EngineFixture(ManualTime time, Executor callbacks) {
        this(time, callbacks, Listeners.Setup.NONE);
    }

    /** With listeners. */
    public EngineFixture(ManualTime time, Executor callbacks, Listeners.Setup listeners) {
        this(time, new TroubledStore(time), callbacks, "test", listeners);
    }

    private EngineFixture(
            ManualTime time, TroubledStore store, Executor callbacks, String name, Listeners.Setup listeners) {
        this.time = time;
        this.store = store;
        this.engine = new Engine(store, time, time, callbacks, new TokenText(name), new Random(1), listeners);
    }

    public static final LockOptions FIXED =
            LockOptions.builder().lease(Duration.ofSeconds(10)).build();
    public static final LockOptions RENEWED =
            LockOptions.builder().lease(Duration.ofSeconds(30)).renew(true).build();

    public static final LockOptions STRICT =
            FIXED.toBuilder().fairness(Fairness.STRICT).build();

    /** Returns another client of the same server, with its own connection. */
    public EngineFixture anotherClient() {
        return new EngineFixture(time, new TroubledStore(store.server), Runnable::run, "another", Listeners.Setup.NONE);
    }

    /** Waits for as long as it takes. */
    public CompletableFuture<Optional<Lease>> request(String key, LockOptions options) {
        return request(key, options, WaitPlan.of(options));
    }

    /** Waits for this long at most. */
    public CompletableFuture<Optional<Lease>> request(String key, LockOptions options, Duration maxWait) {
        return request(key, options, WaitPlan.of(options).within(maxWait));
    }

    public CompletableFuture<Optional<Lease>> request(String key, LockOptions options, WaitPlan plan) {
        return engine.tryAcquireAsync(new AcquireSpec(LockKey.of("", key), options, plan));
    }

    /** Requests a renewed lock, and waits for as long as it takes. */
    public LeaseRequest start(String key) {
        return start(waiting(key, RENEWED));
    }

    LeaseRequest start(AcquireSpec spec) {
        return engine.requests.start(spec, new AsynchronousCaller(time), null);
    }

    public static AcquireSpec waiting(String key, LockOptions options) {
        return new AcquireSpec(LockKey.of("", key), options, WaitPlan.of(options));
    }

    /** Another client of the same server. */
    public Engine otherClient() {
        return new Engine(
                store, time, time, Runnable::run, new TokenText("other"), new Random(2), Listeners.Setup.NONE);
    }

    public static AcquireSpec ask(String key, LockOptions options) {
        return new AcquireSpec(LockKey.of("", key), options, WaitPlan.NONE);
    }

    public Lease acquire(String key, LockOptions options) {
        return request(key, options, WaitPlan.NONE).join().orElseThrow();
    }

    public Optional<LockHolder> onServer(String key) {
        return snapshot(key).holder();
    }

    /** Returns the length of the queue of a lock or semaphore. */
    public long inQueue(String key) {
        return snapshot(key).waiterCount();
    }

    private LockSnapshot snapshot(String key) {
        return store.server
                .lookAtPermits(key, CallMode.BLOCKING)
                .toCompletableFuture()
                .join()
                .orElseGet(() -> store.server
                        .look(key, CallMode.BLOCKING)
                        .toCompletableFuture()
                        .join());
    }

    public long count(String operation) {
        return store.log.stream().filter(line -> line.startsWith(operation)).count();
    }
}
