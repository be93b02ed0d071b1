package io.keyhold.internal.store.redis;

import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisSession;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Locks on Redis without scripts. Each operation watches its keys, reads them, decides here, and writes in a transaction that
 * the server refuses if a watched key has changed since; then it starts over. A refusal means that another client has made
 * progress, so that starting over ends; it is bounded nevertheless. There is no grant channel: a request that waits polls.
 *
 * <p>Plain locks only. A semaphore by WATCH starves under contention, and so does a request for several locks: both are
 * refused before anything is sent.
 */
public final class TransactionStore extends RedisStore {

    /** A transaction is disturbed by others for the same key, and by grants of other keys of the same hash slot. */
    private static final int MOST_TRIES = 500;

    private static final String CURE =
            " need CommandStyle.SCRIPTS and a server that permits EVAL; CommandStyle.TRANSACTIONS is for plain locks only";

    /** On the server behind this driver. */
    public TransactionStore(RedisDriver driver) {
        super(driver, RedisListing.KEYS_AT_ONCE);
    }

    @Override
    public Optional<String> refusal(LockKind kind) {
        return switch (kind) {
            case LOCK -> Optional.empty();
            case SEMAPHORE -> Optional.of("semaphores" + CURE);
            case READ_WRITE -> Optional.of("read/write locks" + CURE);
        };
    }

    @Override
    public Optional<String> refusalOfSeveral(List<String> keys) {
        return Optional.of("several locks at once" + CURE);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        AcquireTransaction steps = new AcquireTransaction(request);
        return thenChecked(
                mode,
                translated(
                        "acquire",
                        request.claim(),
                        () -> inSession(new CallOptions(mode, CallLane.REQUEST, sending), session -> {
                            sending.run();
                            return steps.attempt(session);
                        })));
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        return translated(
                "release",
                request.claim(),
                () -> inSession(
                        CallOptions.of(mode, CallLane.RELEASE),
                        session ->
                                new ReleaseTransaction(session, request.claim().key()).release(request)));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return translated(
                () -> Task.on("force the release of", key, Optional.of(LockKind.LOCK)),
                () -> inSession(CallOptions.of(mode), session -> new ReleaseTransaction(session, key).force()));
    }

    /** A client of this style has no semaphores, and shows none. */
    @Override
    public CompletionStage<Optional<LockSnapshot>> lookAtPermits(String key, CallMode mode) {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        return CompletableFuture.failedStage(new UnsupportedOperationException("semaphores" + CURE));
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        return translated(
                () -> renewal(requests),
                () -> driver.withSession(
                        CallOptions.of(mode, renewalLane(mode)), session -> renewTogether(session, requests)));
    }

    /** A batch that is disturbed is done again hold by hold, so that one contended key does not delay the others. */
    private CompletionStage<List<HoldReply>> renewTogether(RedisSession session, List<RenewRequest> requests) {
        return RenewTransaction.attempt(session, requests).thenCompose(replies -> {
            return replies.isPresent()
                    ? CompletableFuture.completedStage(replies.get())
                    : RedisListing.oneByOne(requests, request -> {
                        List<RenewRequest> one = List.of(request);
                        return untilUndisturbed(() -> RenewTransaction.attempt(session, one), MOST_TRIES);
                    });
        });
    }

    private <T> CompletionStage<T> inSession(
            CallOptions options, Function<RedisSession, CompletionStage<Optional<T>>> attempt) {
        return driver.withSession(options, session -> untilUndisturbed(() -> attempt.apply(session), MOST_TRIES));
    }

    private static <T> CompletionStage<T> untilUndisturbed(
            Supplier<CompletionStage<Optional<T>>> attempt, int triesLeft) {
        return attempt.get().thenCompose(outcome -> {
            if (outcome.isPresent()) {
                return CompletableFuture.completedStage(outcome.get());
            }
            return triesLeft > 1
                    ? untilUndisturbed(attempt, triesLeft - 1)
                    : CompletableFuture.failedStage(new IllegalStateException(
                            "the key changed during each of " + MOST_TRIES + " transactions in a row"));
        });
    }
}
