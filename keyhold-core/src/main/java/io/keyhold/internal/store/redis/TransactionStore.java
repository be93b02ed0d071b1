package io.keyhold.internal.store.redis;

import io.keyhold.internal.Texts;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.Limit;
import io.keyhold.internal.store.LockView;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
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
 * Locks and semaphores on Redis without scripts. Each operation watches its keys, reads them, decides here, and writes in a
 * transaction that the server refuses if a watched key changed meanwhile; then it starts over. A refusal means that
 * somebody else got on, so starting over does not go on for ever, but it is bounded all the same. It has no inbox: whoever
 * waits asks again and again.
 *
 * <p>Nobody who asks like that can be kept from being overtaken by those who want less. So it gives out one permit at a time,
 * and no read/write locks: requests for more are refused before anything is sent.
 */
public final class TransactionStore extends RedisStore {

    /** Whoever asks for something that others fight over comes back later. */
    private static final int MOST_TRIES_TO_ACQUIRE = 50;

    /** Everything else has to be done. */
    private static final int MOST_TRIES = 500;

    /** On the server behind this driver. */
    public TransactionStore(RedisDriver driver, Duration fenceRetention) {
        super(driver, fenceRetention);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        Function<RedisSession, CompletionStage<Optional<AcquireReply>>> attempt;
        if (request.claim() instanceof Claim.Permits claim) {
            if (claim.limit().permits() == Limit.READ_WRITE || claim.permits() > 1) {
                return CompletableFuture.failedStage(refusal(claim));
            }
            attempt = new AcquirePermitsTransaction(claim, request, retentionMillis)::attempt;
        } else if (request.claim() instanceof Claim.Locks claim) {
            attempt = new AcquireAllTransaction(claim, request, retentionMillis)::attempt;
        } else {
            attempt = new AcquireTransaction(request, retentionMillis)::attempt;
        }
        return thenChecked(
                mode,
                translated(
                        task("acquire", request.claim()),
                        request.claim().key(),
                        () -> driver.exclusively(
                                new CallOptions(mode, CallLane.REQUEST, sending),
                                session -> untilUndisturbed(
                                        () -> {
                                            sending.run();
                                            return attempt.apply(session);
                                        },
                                        MOST_TRIES_TO_ACQUIRE,
                                        TransactionStore::busy))));
    }

    /** Others got on each time, so somebody has it. */
    private static CompletionStage<AcquireReply> busy() {
        return CompletableFuture.completedStage(AcquireReply.Busy.UNKNOWN);
    }

    private static UnsupportedOperationException refusal(Claim.Permits claim) {
        boolean readWrite = claim.limit().permits() == Limit.READ_WRITE;
        String key = "'" + Texts.cut(claim.key(), 80) + "'";
        String what = readWrite
                ? "read/write lock " + key + " cannot be used"
                : claim.permits() + " permits of semaphore " + key + " cannot be acquired at once";
        String starved =
                readWrite ? "readers would starve writers" : "those who ask for one permit would starve others";
        return new UnsupportedOperationException(
                what + " by RedisCommands.TRANSACTIONS, because nobody waits in line there and " + starved
                        + "; use RedisCommands.SCRIPTS, which needs a server that allows EVAL");
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        Claim claim = request.claim();
        Function<RedisSession, CompletionStage<Optional<HoldReply>>> attempt;
        if (claim instanceof Claim.Permits) {
            ReleasePermitsTransaction steps = new ReleasePermitsTransaction(claim.key(), retentionMillis);
            attempt = session -> steps.attempt(session, request.token());
        } else {
            ReleaseTransaction steps = new ReleaseTransaction(claim.keys());
            attempt = session -> steps.attempt(session, request.token());
        }
        return translated(
                task("release", claim), claim.key(), () -> inSession(CallOptions.of(mode, CallLane.RELEASE), attempt));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return translated(
                "force the release of", key, () -> inSession(CallOptions.of(mode), session -> clear(session, key)));
    }

    private CompletionStage<Optional<Boolean>> clear(RedisSession session, String key) {
        String state = KeyNames.permits(key);
        List<RedisCall> reads =
                List.of(RedisCall.of("WATCH", key, state), RedisCall.of("TYPE", key), RedisCall.of("EXISTS", state));
        return session.pipeline(reads)
                .thenCompose(replies -> replies.get(1) instanceof String kind
                                && kind.equals("zset")
                                && Replies.number(replies.get(2)) == 1
                        ? new ReleasePermitsTransaction(key, retentionMillis).clear(session)
                        : clearLock(session, key));
    }

    /** Data of another kind is somebody else's: GET fails there, and so does this. */
    private static CompletionStage<Optional<Boolean>> clearLock(RedisSession session, String key) {
        return session.pipeline(List.of(RedisCall.of("GET", key)))
                .thenCompose(lock -> new ReleaseTransaction(List.of(key)).delete(session));
    }

    @Override
    public CompletionStage<Optional<LockView>> lookAtPermits(String key, CallMode mode) {
        return translated("look at", key, () -> new PermitsLook(driver, key).look(mode));
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        ResizeTransaction steps = new ResizeTransaction(key, said, permits, retentionMillis);
        return translated("resize semaphore", key, () -> inSession(CallOptions.of(mode), steps::attempt));
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        String first = requests.get(0).claim().key();
        Renewals renewals = new Renewals(requests);
        return translated(
                "renew " + requests.size() + " locks, the first of them",
                first,
                () -> driver.<List<HoldReply>>exclusively(
                        CallOptions.of(mode, renewalLane(mode)),
                        session -> renewTogether(
                                        session,
                                        renewals.locks(),
                                        holds -> new RenewTransaction(holds, retentionMillis))
                                .thenCompose(locks -> renewTogether(
                                                session,
                                                renewals.permits(),
                                                holds -> new RenewPermitsTransaction(holds, retentionMillis))
                                        .thenApply(permits -> renewals.merged(locks, permits)))));
    }

    /** A batch that somebody disturbs is done again hold by hold, so that one restless key does not hold up the others. */
    private static CompletionStage<List<HoldReply>> renewTogether(
            RedisSession session, List<Renewals.Hold> holds, Function<List<Renewals.Hold>, RenewBatch> batch) {
        if (holds.isEmpty()) {
            return CompletableFuture.completedStage(List.of());
        }
        return batch.apply(holds).attempt(session).thenCompose(replies -> {
            if (replies.isPresent()) {
                return CompletableFuture.completedStage(replies.get());
            }
            CompletionStage<List<HoldReply>> all = CompletableFuture.completedStage(new ArrayList<>());
            for (Renewals.Hold hold : holds) {
                RenewBatch one = batch.apply(List.of(hold));
                all = all.thenCompose(
                        done -> untilUndisturbed(() -> one.attempt(session), MOST_TRIES, TransactionStore::restless)
                                .thenApply(reply -> {
                                    done.addAll(reply);
                                    return done;
                                }));
            }
            return all;
        });
    }

    private <T> CompletionStage<T> inSession(
            CallOptions options, Function<RedisSession, CompletionStage<Optional<T>>> attempt) {
        return driver.exclusively(
                options,
                session -> untilUndisturbed(() -> attempt.apply(session), MOST_TRIES, TransactionStore::restless));
    }

    private static <T> CompletionStage<T> restless() {
        return CompletableFuture.failedStage(
                new IllegalStateException("the key changed during each of " + MOST_TRIES + " transactions in a row"));
    }

    private static <T> CompletionStage<T> untilUndisturbed(
            Supplier<CompletionStage<Optional<T>>> attempt, int tries, Supplier<CompletionStage<T>> otherwise) {
        return attempt.get().thenCompose(reply -> {
            if (reply.isPresent()) {
                return CompletableFuture.completedStage(reply.get());
            }
            return tries == 1 ? otherwise.get() : untilUndisturbed(attempt, tries - 1, otherwise);
        });
    }
}
