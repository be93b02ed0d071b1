package io.keyhold.tests.faults;

import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Every kind of lock that one client at a time can hold, and that requests wait for in a queue. */
enum Kind {
    BATCHED("queue"),
    STRICT("queue"),
    SEMAPHORE("waiters"),
    WRITE_LOCK("waiters");

    private final String companion;

    Kind(String companion) {
        this.companion = companion;
    }

    /** The key of its queue. */
    String queue(String key) {
        return "{" + key + "}:kh:" + companion;
    }

    /** Holds it for this long, without renewal. */
    Lease acquire(Keyhold keyhold, String key, Duration lease) throws InterruptedException {
        return switch (this) {
            case BATCHED ->
                keyhold.lock(key).with(options -> options.lease(lease)).acquire();
            case STRICT ->
                keyhold.lock(key)
                        .with(options -> options.lease(lease).fairness(Fairness.STRICT))
                        .acquire();
            case SEMAPHORE ->
                keyhold.semaphore(key, 1).with(options -> options.lease(lease)).acquire();
            case WRITE_LOCK ->
                keyhold.readWriteLock(key)
                        .with(options -> options.lease(lease))
                        .writeLock()
                        .acquire();
        };
    }

    /** Acquires it asynchronously. */
    CompletableFuture<Lease> acquireAsync(Keyhold keyhold, String key, Duration lease) {
        return switch (this) {
            case BATCHED ->
                keyhold.lock(key).with(options -> options.lease(lease)).acquireAsync();
            case STRICT ->
                keyhold.lock(key)
                        .with(options -> options.lease(lease).fairness(Fairness.STRICT))
                        .acquireAsync();
            case SEMAPHORE ->
                keyhold.semaphore(key, 1).with(options -> options.lease(lease)).acquireAsync();
            case WRITE_LOCK ->
                keyhold.readWriteLock(key)
                        .with(options -> options.lease(lease))
                        .writeLock()
                        .acquireAsync();
        };
    }
}
