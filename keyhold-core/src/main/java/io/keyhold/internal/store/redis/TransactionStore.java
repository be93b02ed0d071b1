package io.keyhold.internal.store.redis;

import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.CallOptions;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.Stages;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
        return thenChecked(
                mode,
                translated(
                        "acquire",
                        request.claim(),
                        () -> inSession(new CallOptions(mode, CallLane.REQUEST, sending), session -> {
                            sending.run();
                            return acquired(session, request);
                        })));
    }

    /** One attempt, as {@code acquire.lua}. */
    private static CompletionStage<Optional<AcquireReply>> acquired(RedisSession session, AcquireRequest request) {
        String key = request.claim().key();
        String counter = KeyNames.of(key).counter();
        List<RedisCall> reads = List.of(
                RedisCall.of("WATCH", key, counter),
                RedisCall.of("GET", key),
                RedisCall.of("PTTL", key),
                RedisCall.of("GET", counter),
                RedisCall.of("TIME"));
        return session.pipeline(reads).thenCompose(replies -> {
            Optional<String> value = Replies.optionalText(replies.get(1));
            long pttl = Replies.number(replies.get(2));
            boolean isBusy = value.isPresent()
                    ? !LockValue.isOf(value.get(), request.token())
                    : request.ifFree() == AcquireRequest.IfFree.LEAVE;
            if (isBusy) {
                // The holder's kind does not matter: a request by transaction does not wait in the queue.
                AcquireReply busy = new AcquireReply.Busy(
                        value.map(LockValue::tokenIn),
                        Replies.remaining(pttl),
                        OptionalLong.empty(),
                        AcquireReply.HolderKind.KEYHOLD);
                return written(session, List.of(), busy);
            }
            long now = Replies.micros(replies.get(4));
            long next = LockValue.next(
                    Replies.optionalText(replies.get(3))
                            .map(TransactionStore::number)
                            .orElse(0L),
                    now);
            // A foreign hold that is adopted has no number, and gets one.
            Optional<Long> known = value.filter(text -> !text.equals(request.token()))
                    .flatMap(LockValue::read)
                    .map(LockValue::fencingToken);
            List<RedisCall> writes = new ArrayList<>();
            if (known.isEmpty()) {
                writes.add(RedisCall.of("SET", counter, Long.toString(next)));
            }
            boolean isEndless = request.leaseMillis() == AcquireRequest.NO_EXPIRY;
            String lease = Long.toString(request.leaseMillis());
            if (value.isEmpty()) {
                String grant = new LockValue(request.token(), next, now).text();
                writes.add(isEndless ? RedisCall.of("SET", key, grant) : RedisCall.of("SET", key, grant, "PX", lease));
            } else if (isEndless) {
                writes.add(RedisCall.of("PERSIST", key));
            } else if (pttl < request.leaseMillis()) {
                writes.add(RedisCall.of("PEXPIRE", key, lease));
            }
            return written(session, writes, new AcquireReply.Granted(known.orElse(next)));
        });
    }

    /** Anything but a number counts as none, as in {@code number.lua}. */
    private static long number(String counter) {
        return counter.matches("\\d{1,18}") ? Long.parseLong(counter) : 0;
    }

    /** It cannot hand the lock over, so the first client of the queue that listens is told to ask. If this process dies before that, the waiter finds out by looking. */
    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        return translated(
                "release",
                request.claim(),
                () -> inSession(CallOptions.of(mode, CallLane.RELEASE), session -> released(session, request)));
    }

    private static CompletionStage<Optional<HoldReply>> released(RedisSession session, ReleaseRequest request) {
        String key = request.claim().key();
        // MGET, because it returns nil for a key of another type, where GET fails.
        List<RedisCall> reads = List.of(RedisCall.of("WATCH", key), RedisCall.of("MGET", key));
        return session.pipeline(reads).thenCompose(replies -> {
            Object value = Replies.list(replies.get(1)).get(0);
            HoldReply reply = Replies.holding(value, request.token());
            if (!(reply instanceof HoldReply.Done)) {
                return written(session, List.of(), reply);
            }
            if (!request.rests()) {
                return freed(session, key, RedisCall.of("DEL", key), reply);
            }
            // As rest.lua: taken by a token that no request has.
            String resting = TokenText.resting(request.token())
                    + Replies.text(value).substring(request.token().length());
            return freed(
                    session, key, RedisCall.of("SET", key, resting, "PX", Long.toString(request.restMillis())), reply);
        });
    }

    /** Fails for data of another kind. */
    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        List<RedisCall> reads = List.of(RedisCall.of("WATCH", key), RedisCall.of("GET", key));
        return translated(
                () -> Task.on("force the release of", key, Optional.of(LockKind.LOCK)),
                () -> inSession(
                        CallOptions.of(mode),
                        session -> session.pipeline(reads)
                                .thenCompose(replies ->
                                        freed(session, key, RedisCall.of("DEL", key), replies.get(1) != null))));
    }

    /** Ends a hold by this write, and tells the head of the queue. Empty if it was disturbed, and nothing was written. */
    private static <T> CompletionStage<Optional<T>> freed(
            RedisSession session, String key, RedisCall write, T outcome) {
        KeyNames names = KeyNames.of(key);
        return session.transaction(List.of(write, RedisCall.of("DEL", names.last()), head(names.queue())))
                .exceptionallyCompose(TransactionStore::withoutHead)
                .thenCompose(replies -> replies == null
                        ? CompletableFuture.completedStage(Optional.empty())
                        // It is done, even if the message fails.
                        : tell(session, names.queue(), replies.get(replies.size() - 1))
                                .handle((told, failure) -> Optional.of(outcome)));
    }

    /** Data of another kind under the key of the queue is no queue. Only the call for the head looks at a type; the writes before it are done. */
    private static CompletionStage<@Nullable List<@Nullable Object>> withoutHead(Throwable failure) {
        return Stages.unwrapped(failure) instanceof RedisErrorException error
                        && error.code().equals("WRONGTYPE")
                ? CompletableFuture.completedStage(Collections.singletonList(null))
                : CompletableFuture.failedStage(failure);
    }

    private static RedisCall head(String queue) {
        return RedisCall.of("LINDEX", queue, "0");
    }

    /** Tells the client of this entry that the lock is free. An entry whose client does not listen is dropped, and the next is told. */
    private static CompletionStage<Void> tell(RedisSession session, String queue, @Nullable Object first) {
        if (first == null) {
            return CompletableFuture.completedStage(null);
        }
        String entry = Replies.text(first);
        CompletionStage<Boolean> told = QueuePlace.read(entry)
                .map(place -> session.pipeline(List.of(
                                RedisGrantSubscription.subscribers(place.channel()),
                                RedisGrantSubscription.freed(place.channel(), place.number())))
                        .thenApply(replies -> RedisGrantSubscription.isAny(replies.get(0))))
                .orElse(CompletableFuture.completedStage(false));
        return told.thenCompose(done -> done
                ? CompletableFuture.completedStage(null)
                : session.pipeline(List.of(RedisCall.of("LREM", queue, "1", entry), head(queue)))
                        .thenCompose(replies -> tell(session, queue, replies.get(1))));
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
    private static CompletionStage<List<HoldReply>> renewTogether(RedisSession session, List<RenewRequest> requests) {
        return renewed(session, requests).thenCompose(replies -> {
            return replies.isPresent()
                    ? CompletableFuture.completedStage(replies.get())
                    : RedisListing.oneByOne(requests, request -> {
                        List<RenewRequest> one = List.of(request);
                        return untilUndisturbed(() -> renewed(session, one), MOST_TRIES);
                    });
        });
    }

    /** One attempt, as {@code renew.lua}. */
    private static CompletionStage<Optional<List<HoldReply>>> renewed(RedisSession session, List<RenewRequest> holds) {
        List<String> keys = holds.stream().map(hold -> hold.claim().key()).toList();
        List<RedisCall> reads = new ArrayList<>();
        reads.add(new RedisCall("WATCH", keys));
        reads.add(new RedisCall("MGET", keys));
        keys.forEach(key -> reads.add(RedisCall.of("PTTL", key)));
        return session.pipeline(reads).thenCompose(replies -> {
            List<?> values = Replies.list(replies.get(1));
            List<HoldReply> outcome = new ArrayList<>();
            List<RedisCall> writes = new ArrayList<>();
            for (int i = 0; i < holds.size(); i++) {
                RenewRequest hold = holds.get(i);
                HoldReply reply = Replies.holding(values.get(i), hold.token());
                outcome.add(reply);
                boolean isLonger = hold.leaseMillis() != AcquireRequest.NO_EXPIRY
                        && Replies.number(replies.get(2 + i)) < hold.leaseMillis();
                if (reply instanceof HoldReply.Done && isLonger) {
                    writes.add(RedisCall.of("PEXPIRE", keys.get(i), Long.toString(hold.leaseMillis())));
                }
            }
            return written(session, writes, outcome);
        });
    }

    /** Writes in a transaction, or only ends the watch if there is nothing to write. Returns empty if a watched key has changed. */
    private static <T> CompletionStage<Optional<T>> written(RedisSession session, List<RedisCall> writes, T outcome) {
        return writes.isEmpty()
                ? session.pipeline(List.of(RedisCall.of("UNWATCH"))).thenApply(unwatched -> Optional.of(outcome))
                : session.transaction(writes)
                        .thenApply(replies -> replies == null ? Optional.<T>empty() : Optional.of(outcome));
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
