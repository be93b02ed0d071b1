package io.keyhold.internal.store.redis;

import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.Stages;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** What both kinds of Redis store have in common: the driver, its failures, and everything that only reads. */
abstract class RedisStore implements LockStore {

    final RedisDriver driver;
    private final RedisFailures failures;
    private final KeyUse use;
    final RedisListing listing;
    final ServerCheck check;

    RedisStore(RedisDriver driver, int keysAtOnce) {
        this.driver = driver;
        this.failures = new RedisFailures(driver.address());
        this.use = new KeyUse(driver);
        this.listing = new RedisListing(driver, keysAtOnce);
        this.check = new ServerCheck(driver);
    }

    /** Returns the way to its server. */
    public RedisDriver driver() {
        return driver;
    }

    @Override
    public CompletionStage<LockSnapshot> look(String key, CallMode mode) {
        return translated(() -> Task.on("look at", key, Optional.of(LockKind.LOCK)), () -> listing.look(key, mode));
    }

    /** Only the locks. */
    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        return translated(
                () -> Task.of("list locks like '" + pattern + "'"), () -> listing.page(pattern, cursor, mode));
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

    /** Returns the task of a renewal. */
    static Task renewal(List<RenewRequest> requests) {
        Claim first = requests.get(0).claim();
        return requests.size() == 1
                ? Task.on("renew", first)
                : Task.of("renew " + requests.size() + " leases, the first of " + first.text());
    }

    /** Runs work on a claim, and reports failures in the user's terms, such as {@code cannot acquire lock 'a'}. */
    final <T> CompletionStage<T> translated(String verb, Claim claim, Supplier<CompletionStage<T>> work) {
        return translated(() -> Task.on(verb, claim), work);
    }

    final <T> CompletionStage<T> translated(Supplier<Task> task, Supplier<CompletionStage<T>> work) {
        // A driver should fail its stage; one that throws must not go unnoticed or untranslated.
        return Stages.flat(work).exceptionallyCompose(failure -> failed(task.get(), Stages.unwrapped(failure)));
    }

    private <T> CompletionStage<T> failed(Task task, Throwable failure) {
        if (KeyUse.isWrongType(task, failure)) {
            return use.explain(task, failure).thenCompose(CompletableFuture::failedStage);
        }
        if (ServerCheck.isNotUnderstood(failure)) {
            return check.versionIfTooOld()
                    .thenCompose(version -> CompletableFuture.failedStage(
                            version.isPresent()
                                    ? failures.tooOld(task.text(), version.get(), failure)
                                    : failures.of(task.text(), failure)));
        }
        return CompletableFuture.failedStage(failures.of(task.text(), failure));
    }

    /** Checks the server once, after the first acquire that it replied to, and warns of settings that endanger locks. */
    final <T> CompletionStage<T> thenChecked(CallMode mode, CompletionStage<T> acquire) {
        return acquire.thenApply(reply -> {
            check.once(mode);
            return reply;
        });
    }
}
