package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockView;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Locks on Redis without scripts. Each operation watches its keys, reads them, decides here, and writes in a transaction
 * that the server refuses if a watched key changed meanwhile; then it starts over. A refusal means that somebody else
 * got on, so starting over does not go on for ever, but it is bounded all the same. It has no inbox: whoever waits asks
 * again and again.
 */
public final class TransactionStore extends RedisStore {

    private static final int MOST_TRIES = 100;

    /** On the server behind this driver. */
    public TransactionStore(RedisDriver driver, Duration fenceRetention) {
        super(driver, fenceRetention);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode) {
        AcquireTransaction steps = new AcquireTransaction(request, retentionMillis);
        return thenChecked(
                mode, translated("acquire lock", request.claim().key(), () -> inSession(mode, steps::attempt)));
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        ReleaseTransaction steps = new ReleaseTransaction(request.claim().key());
        return translated(
                "release lock",
                request.claim().key(),
                () -> inSession(mode, session -> steps.attempt(session, request.token())));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        ReleaseTransaction steps = new ReleaseTransaction(key);
        return translated("force the release of", key, () -> inSession(mode, steps::delete));
    }

    @Override
    public CompletionStage<Optional<LockView>> lookAtPermits(String key, CallMode mode) {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        String first = requests.get(0).claim().key();
        return translated(
                "renew " + requests.size() + " locks, the first of them",
                first,
                () -> driver.<List<HoldReply>>exclusively(mode, session -> renewTogether(session, requests)));
    }

    /** A batch that somebody disturbs is done again lock by lock, so that one restless key does not hold up the others. */
    private CompletionStage<List<HoldReply>> renewTogether(RedisSession session, List<RenewRequest> requests) {
        return new RenewTransaction(requests, retentionMillis).attempt(session).thenCompose(replies -> {
            if (replies.isPresent()) {
                return CompletableFuture.completedStage(replies.get());
            }
            CompletionStage<List<HoldReply>> all = CompletableFuture.completedStage(new ArrayList<>());
            for (RenewRequest request : requests) {
                RenewTransaction one = new RenewTransaction(List.of(request), retentionMillis);
                all = all.thenCompose(done -> untilUndisturbed(() -> one.attempt(session), MOST_TRIES)
                        .thenApply(reply -> {
                            done.addAll(reply);
                            return done;
                        }));
            }
            return all;
        });
    }

    private <T> CompletionStage<T> inSession(
            CallMode mode, Function<RedisSession, CompletionStage<Optional<T>>> attempt) {
        return driver.exclusively(mode, session -> untilUndisturbed(() -> attempt.apply(session), MOST_TRIES));
    }

    private static <T> CompletionStage<T> untilUndisturbed(Supplier<CompletionStage<Optional<T>>> attempt, int tries) {
        return attempt.get().thenCompose(reply -> {
            if (reply.isPresent()) {
                return CompletableFuture.completedStage(reply.get());
            }
            if (tries == 1) {
                return CompletableFuture.failedStage(new IllegalStateException(
                        "the key changed during each of " + MOST_TRIES + " transactions in a row"));
            }
            return untilUndisturbed(attempt, tries - 1);
        });
    }
}
