package io.keyhold.internal.store.redis;

import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockStore;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisDriver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** What both kinds of Redis store have in common: the driver, its failures, and everything that only reads. */
abstract class RedisStore implements LockStore {

    final RedisDriver driver;
    private final Failures failures;
    final RedisListing listing;
    private final ServerCheck check;

    RedisStore(RedisDriver driver) {
        this.driver = driver;
        this.failures = new Failures(driver.address());
        this.listing = new RedisListing(driver);
        this.check = new ServerCheck(driver);
    }

    @Override
    public CompletionStage<LockSnapshot> look(String key, CallMode mode) {
        return translated("look at", key, () -> listing.look(key, mode));
    }

    /** Only the locks. */
    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        return translated("list locks like", pattern, () -> listing.page(pattern, cursor, mode));
    }

    @Override
    public void trim() {
        driver.trim();
    }

    @Override
    public void close() {
        driver.close();
    }

    /** Returns the lane of a renewal. The engine renews without a waiting thread; one that waits is a user's ({@code extend}), and there may be thousands. */
    static CallLane renewalLane(CallMode mode) {
        return mode == CallMode.ASYNCHRONOUS ? CallLane.RENEWAL : CallLane.REQUEST;
    }

    private static String kind(Claim claim) {
        if (claim instanceof Claim.Permits permits) {
            return permits.limit().permits() == Limit.READ_WRITE ? "read/write lock" : "semaphore";
        }
        return claim instanceof Claim.Locks locks ? locks.keys().size() + " locks, the first of them" : "lock";
    }

    /** Runs work on a claim, and reports failures in the user's terms, such as {@code cannot acquire lock 'a'}. */
    final <T> CompletionStage<T> translated(String verb, Claim claim, Supplier<CompletionStage<T>> work) {
        return translated(() -> verb + " " + kind(claim), claim.key(), work);
    }

    final <T> CompletionStage<T> translated(String task, String key, Supplier<CompletionStage<T>> work) {
        return translated(() -> task, key, work);
    }

    private <T> CompletionStage<T> translated(Supplier<String> task, String key, Supplier<CompletionStage<T>> work) {
        CompletionStage<T> stage;
        try {
            stage = work.get();
        } catch (RuntimeException e) {
            // A driver should fail its stage instead; one that throws must not go unnoticed or untranslated.
            stage = CompletableFuture.failedStage(e);
        }
        return stage.exceptionallyCompose(failure ->
                CompletableFuture.failedStage(failures.of(task.get() + " '" + Formats.cut(key, 80) + "'", failure)));
    }

    /** Checks the server once, after the first acquire that it replied to, and warns of settings that endanger locks. */
    final <T> CompletionStage<T> thenChecked(CallMode mode, CompletionStage<T> acquire) {
        return acquire.thenApply(reply -> {
            check.once(mode);
            return reply;
        });
    }
}
