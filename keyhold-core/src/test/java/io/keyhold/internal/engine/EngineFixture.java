package io.keyhold.internal.engine;

import io.keyhold.Fairness;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.TokenText;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** An engine on one thread: its time, its store and all its callbacks are the test's. */
final class EngineFixture {

    final ManualTime time;
    final TroubledStore store;
    final Engine engine;
    final Operations operations;

    EngineFixture() {
        this(new ManualTime(), Runnable::run);
    }

    /** {@code callbacks} runs the code of users. */
    EngineFixture(ManualTime time, Executor callbacks) {
        this(time, new TroubledStore(time), callbacks, "test");
    }

    private EngineFixture(ManualTime time, TroubledStore store, Executor callbacks, String name) {
        this.time = time;
        this.store = store;
        this.engine = new Engine(store, time, time, callbacks, new TokenText(name), new Random(1));
        this.operations = new Operations(engine);
    }

    static final LockOptions FIXED =
            LockOptions.builder().lease(Duration.ofSeconds(10)).build();
    static final LockOptions RENEWED =
            LockOptions.builder().lease(Duration.ofSeconds(30)).renew(true).build();

    static final LockOptions STRICT =
            FIXED.toBuilder().fairness(Fairness.STRICT).build();

    /** Another client of the same server, with a connection of its own. */
    EngineFixture anotherClient() {
        return new EngineFixture(time, new TroubledStore(store.server), Runnable::run, "another");
    }

    /** Waits for as long as it takes. */
    CompletableFuture<Optional<Lease>> request(String key, LockOptions options) {
        return request(key, options, WaitPlan.of(options));
    }

    /** Waits for so long at most. */
    CompletableFuture<Optional<Lease>> request(String key, LockOptions options, Duration maxWait) {
        return request(key, options, WaitPlan.of(options).within(maxWait));
    }

    CompletableFuture<Optional<Lease>> request(String key, LockOptions options, WaitPlan plan) {
        return operations.tryAcquireAsync(new Ask(LockKey.of("", key), options, plan));
    }

    /** Wants to hold a lock and to renew it, and waits for as long as it takes. */
    LeaseRequest start(String key) {
        return engine.start(waiting(key, RENEWED), engine.asynchronously(), null);
    }

    static Ask waiting(String key, LockOptions options) {
        return new Ask(LockKey.of("", key), options, WaitPlan.of(options));
    }

    /** Another client of the same server. */
    Operations otherClient() {
        return new Operations(new Engine(store, time, time, Runnable::run, new TokenText("other"), new Random(2)));
    }

    static Ask ask(String key, LockOptions options) {
        return new Ask(LockKey.of("", key), options, WaitPlan.NONE);
    }

    Lease acquire(String key, LockOptions options) {
        return request(key, options, WaitPlan.NONE).join().orElseThrow();
    }

    Optional<LockHolder> onServer(String key) {
        return snapshot(key).holder();
    }

    /** How many stand in the lock's or semaphore's queue. */
    long inQueue(String key) {
        return snapshot(key).waiting();
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

    long count(String operation) {
        return store.log.stream().filter(line -> line.startsWith(operation)).count();
    }
}
