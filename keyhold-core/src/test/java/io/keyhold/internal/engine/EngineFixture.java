package io.keyhold.internal.engine;

import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.store.HoldView;
import io.keyhold.spi.CallMode;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** An engine on one thread: its time, its store and all its callbacks are the test's. */
final class EngineFixture {

    final ManualTime time = new ManualTime();
    final TroubledStore store = new TroubledStore(time);
    final Engine engine = new Engine(store, time, time, Runnable::run, new TokenText("test"), new Random(1));
    final Operations operations = new Operations(engine);

    static final LockOptions FIXED =
            LockOptions.builder().lease(Duration.ofSeconds(10)).build();
    static final LockOptions RENEWED =
            LockOptions.builder().lease(Duration.ofSeconds(30)).renew(true).build();

    CompletableFuture<Optional<Lease>> request(String key, LockOptions options, WaitPlan plan) {
        return operations.tryAcquireAsync(new Ask(LockKey.of("", key), options, plan));
    }

    /** Wants to hold a lock and to renew it, and waits for as long as it takes. */
    Acquisition start(String key) {
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

    Optional<HoldView> onServer(String key) {
        return store.server
                .look(key, CallMode.BLOCKING)
                .toCompletableFuture()
                .join()
                .hold();
    }

    long count(String operation) {
        return store.log.stream().filter(line -> line.startsWith(operation)).count();
    }
}
