package io.keyhold.internal.store.redis;

import io.keyhold.KeyholdException;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.Snapshots;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads locks without touching them, with plain commands that any server and most ACLs allow. A lock's key is text like any
 * other; the form of its value tells it from an application's data.
 */
final class RedisListing {

    /** A foreign value may be megabytes; a token is not. */
    private static final String LAST_CHARACTER = "2047";

    private static final String LAST_SHOWN = Integer.toString(Snapshots.MOST_SHOWN - 1);

    private static final String STRING = "string";
    private static final String WRONG_TYPE = "WRONGTYPE";

    /**
     * Refusals of keys that are not locks here: by a node of a cluster that does not have their slot, or not as a whole; and of a key that became
     * data of another type after the scan.
     */
    private static final Set<String> NOT_A_LOCK_HERE = Set.of("MOVED", "ASK", "TRYAGAIN", WRONG_TYPE);

    private static final String KEYS_A_PAGE = "500";
    /** How many locks a transaction reads. */
    static final int KEYS_AT_ONCE = 50;

    /** The number of replies for one key in {@link #questions}. */
    private static final int QUESTIONS = 5;

    private final RedisDriver driver;
    private final int keysAtOnce;

    /** {@code keysAtOnce} is how many locks a transaction reads: on a node of a cluster one, because all keys of a transaction must be in one slot. */
    RedisListing(RedisDriver driver, int keysAtOnce) {
        this.driver = driver;
        this.keysAtOnce = keysAtOnce;
    }

    CompletionStage<LockSnapshot> look(String key, CallMode mode) {
        return snapshots(List.of(key), mode).thenApply(only -> only.get(0));
    }

    /** Reads the values of a page first, and takes snapshots only of keys whose value has the form of a lock's. */
    CompletionStage<LockStore.Page> page(String pattern, String cursor, CallMode mode) {
        return scan(pattern, cursor, STRING, mode)
                .thenCompose(found -> here(found.keys(), STRING, mode, keys -> locks(keys, mode))
                        .thenCompose(locks -> here(locks, STRING, mode, keys -> snapshots(keys, mode)))
                        .thenApply(locks -> new LockStore.Page(
                                locks.stream().filter(RedisListing::isLock).toList(), found.cursor())));
    }

    /**
     * Reads keys, without those that are not locks of this node: while a slot of a cluster is being moved, both nodes list its keys, or one of them
     * does that has to refuse them; and any key may change after it was listed. If a part is refused, each half of it is read on its own. Fails for a key
     * that still has the type of the scan: a companion key has data of another kind, and a lock that may be held must not be left out.
     */
    <T> CompletionStage<List<T>> here(
            List<String> keys, String type, CallMode mode, Function<List<String>, CompletionStage<List<T>>> reading) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedStage(List.of());
        }
        return reading.apply(keys).exceptionallyCompose(failure -> {
            String code = code(Stages.unwrapped(failure));
            if (!NOT_A_LOCK_HERE.contains(code)) {
                return CompletableFuture.failedStage(failure);
            }
            int half = keys.size() / 2;
            if (half > 0) {
                return here(keys.subList(0, half), type, mode, reading)
                        .thenCombine(here(keys.subList(half, keys.size()), type, mode, reading), RedisListing::both);
            }
            return code.equals(WRONG_TYPE)
                    ? unlessStill(type, keys.get(0), mode, failure)
                    : CompletableFuture.completedStage(List.of());
        });
    }

    private <T> CompletionStage<List<T>> unlessStill(String type, String key, CallMode mode, Throwable failure) {
        return driver.call(RedisCall.of("TYPE", key), mode)
                .thenCompose(now -> Replies.text(now).equals(type)
                        ? CompletableFuture.failedStage(named(key, Stages.unwrapped(failure)))
                        : CompletableFuture.completedStage(List.of()));
    }

    /** A transaction for many keys does not say which of them failed. */
    private static Throwable named(String key, Throwable failure) {
        return failure instanceof RedisErrorException error
                ? new RedisErrorException(
                        error.getMessage() + " (under a companion key of '" + Formats.cut(key, 80) + "')")
                : failure;
    }

    /** Does work on one item after the other. Returns all results. */
    static <A, B> CompletionStage<List<B>> oneByOne(List<A> items, Function<A, CompletionStage<List<B>>> work) {
        CompletionStage<List<B>> all = CompletableFuture.completedStage(new ArrayList<>());
        for (A item : items) {
            all = all.thenCompose(done -> work.apply(item).thenApply(results -> {
                done.addAll(results);
                return done;
            }));
        }
        return all;
    }

    private static String code(Throwable failure) {
        Throwable cause = failure instanceof KeyholdException ? failure.getCause() : failure;
        return cause instanceof RedisErrorException error ? error.code() : "";
    }

    private static <T> List<T> both(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private CompletionStage<List<String>> locks(List<String> keys, CallMode mode) {
        return driver.withSession(
                mode,
                session -> session.pipeline(
                                keys.stream().map(RedisListing::value).toList())
                        .thenApply(values -> IntStream.range(0, keys.size())
                                .filter(i -> LockValue.read(Replies.text(values.get(i)))
                                        .isPresent())
                                .mapToObj(keys::get)
                                .toList()));
    }

    /** Reads the beginning of a value, which tells whether it is a lock's. */
    static RedisCall value(String key) {
        return RedisCall.of("GETRANGE", key, "0", LAST_CHARACTER);
    }

    /**
     * A part of the key space.
     *
     * @param keys those that may be a lock's or a semaphore's own
     * @param cursor where to go on
     */
    record Keys(List<String> keys, String cursor) {

        boolean isLast() {
            return cursor.equals(LockStore.Page.EDGE);
        }
    }

    CompletionStage<Keys> scan(String pattern, String cursor, String type, CallMode mode) {
        RedisCall scan = RedisCall.of("SCAN", cursor, "MATCH", pattern, "COUNT", KEYS_A_PAGE, "TYPE", type);
        return driver.call(scan, mode).thenApply(reply -> {
            List<?> parts = Replies.list(reply);
            List<String> keys = Replies.list(parts.get(1)).stream()
                    .map(Replies::text)
                    .filter(key -> !KeyNames.isCompanion(key))
                    .toList();
            return new Keys(keys, Replies.text(parts.get(0)));
        });
    }

    private static boolean isLock(LockSnapshot seen) {
        return seen.holder().filter(holder -> holder.fencingToken().isPresent()).isPresent();
    }

    /** Some keys at a time, each part in one transaction: a snapshot is of one moment, and the server is not held up. */
    private CompletionStage<List<LockSnapshot>> snapshots(List<String> keys, CallMode mode) {
        List<List<String>> parts = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += keysAtOnce) {
            parts.add(keys.subList(from, Math.min(from + keysAtOnce, keys.size())));
        }
        return driver.withSession(mode, session -> oneByOne(parts, part -> snapshots(session, part)));
    }

    private static CompletionStage<List<LockSnapshot>> snapshots(RedisSession session, List<String> keys) {
        List<RedisCall> calls =
                keys.stream().flatMap(key -> questions(key).stream()).toList();
        return session.transaction(calls).thenApply(replies -> {
            List<LockSnapshot> seen = new ArrayList<>();
            for (int i = 0; replies != null && i < keys.size(); i++) {
                seen.add(snapshot(keys.get(i), replies.subList(i * QUESTIONS, (i + 1) * QUESTIONS)));
            }
            return seen;
        });
    }

    private static List<RedisCall> questions(String key) {
        return List.of(
                RedisCall.of("TYPE", key),
                value(key),
                RedisCall.of("PTTL", key),
                RedisCall.of("LRANGE", KeyNames.of(key).queue(), "0", LAST_SHOWN),
                RedisCall.of("LLEN", KeyNames.of(key).queue()));
    }

    private static LockSnapshot snapshot(String key, List<@Nullable Object> replies) {
        Optional<LockHolder> holder = Replies.text(replies.get(0)).equals("none")
                ? Optional.empty()
                : Optional.of(holder(Replies.text(replies.get(1)), Replies.remaining(Replies.number(replies.get(2)))));
        return Snapshots.ofLock(
                key,
                holder,
                Snapshots.waiters(LockKind.LOCK, Replies.places(replies.get(3))),
                Replies.number(replies.get(4)),
                List.of());
    }

    private static LockHolder holder(String value, OptionalLong remainingMillis) {
        Optional<LockValue> grant = LockValue.read(value);
        String token = grant.map(LockValue::token).orElse(value);
        return Snapshots.holder(LockKind.LOCK, token, 1, remainingMillis, grant);
    }
}
