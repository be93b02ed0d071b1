package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.LockView;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a semaphore as {@code look_permits.lua} does, with plain commands. Its numbers, holders and waiters are of one
 * moment; what each holder holds is asked for after that, so that of one that has just gone nothing may be known.
 */
final class PermitsLook {

    private static final String MOST = Integer.toString(LockView.MOST_SHOWN);
    private static final String LAST_SHOWN = Integer.toString(LockView.MOST_SHOWN - 1);

    private final RedisDriver driver;
    private final String key;
    private final PermitKeys keys;

    PermitsLook(RedisDriver driver, String key) {
        this.driver = driver;
        this.key = key;
        this.keys = PermitKeys.of(key);
    }

    CompletionStage<Optional<LockView>> look(CallMode mode) {
        return driver.exclusively(
                mode,
                session -> session.pipeline(List.of(RedisCall.of("TYPE", key), RedisCall.of("TIME")))
                        .thenCompose(replies -> {
                            String kind = Replies.text(replies.get(0));
                            return kind.equals("zset") || kind.equals("none")
                                    ? read(session, ServerTime.micros(replies.get(1)))
                                    : CompletableFuture.completedStage(Optional.empty());
                        }));
    }

    private CompletionStage<Optional<LockView>> read(RedisSession session, long now) {
        String at = Long.toString(now);
        List<RedisCall> calls = List.of(
                RedisCall.of("HMGET", keys.state(), "limit", "used"),
                RedisCall.of("ZRANGEBYSCORE", key, "-inf", at),
                new RedisCall("ZRANGEBYSCORE", List.of(key, "(" + at, "+inf", "WITHSCORES", "LIMIT", "0", MOST)),
                RedisCall.of("ZCARD", key),
                RedisCall.of("LRANGE", keys.waiters(), "0", LAST_SHOWN),
                RedisCall.of("LLEN", keys.waiters()));
        return session.transaction(calls).thenCompose(replies -> {
            if (replies == null || Replies.list(replies.get(0)).get(0) == null) {
                return CompletableFuture.completedStage(Optional.empty());
            }
            return withDetails(session, now, replies);
        });
    }

    private CompletionStage<Optional<LockView>> withDetails(
            RedisSession session, long now, List<@Nullable Object> replies) {
        List<String> over =
                Replies.list(replies.get(1)).stream().map(Replies::text).toList();
        List<?> shown = flat(Replies.list(replies.get(2)));
        List<String> tokens = new ArrayList<>(over);
        for (int i = 0; i < shown.size(); i += 2) {
            tokens.add(Replies.text(shown.get(i)));
        }
        if (tokens.isEmpty()) {
            return CompletableFuture.completedStage(view(now, replies, over, shown, List.of()));
        }
        return session.pipeline(List.of(PermitsReading.details(keys, tokens)))
                .thenApply(details -> view(now, replies, over, shown, Replies.list(details.get(0))));
    }

    /** In the form of the script's reply. */
    private Optional<LockView> view(
            long now, List<@Nullable Object> replies, List<String> over, List<?> shown, List<?> details) {
        long holding = Replies.number(replies.get(3)) - over.size();
        long expired = details.stream()
                .limit(over.size())
                .mapToLong(PermitsDetail::permitsIn)
                .sum();
        List<Object> holds = new ArrayList<>();
        for (int i = 0; i < shown.size() / 2; i++) {
            long end = ServerTime.end(shown.get(2 * i + 1));
            holds.add(Replies.text(shown.get(2 * i)));
            holds.add(end == Long.MAX_VALUE ? "inf" : Long.toString(end));
            holds.add(Replies.optionalText(details.get(over.size() + i)).orElse(""));
        }
        List<?> state = Replies.list(replies.get(0));
        long used = Replies.optionalText(state.get(1)).map(Long::parseLong).orElse(0L) - expired;
        return PermitsView.read(
                key,
                List.of(
                        Long.parseLong(Replies.text(state.get(0))),
                        holding == 0 ? 0L : used,
                        now,
                        holding,
                        holds,
                        Replies.list(replies.get(4)),
                        Replies.number(replies.get(5))));
    }

    /** RESP3 puts each holder and its score into a list of their own. */
    private static List<Object> flat(List<?> reply) {
        List<Object> flat = new ArrayList<>();
        for (Object part : reply) {
            if (part instanceof List<?> pair) {
                flat.addAll(pair);
            } else {
                flat.add(part);
            }
        }
        return flat;
    }
}
