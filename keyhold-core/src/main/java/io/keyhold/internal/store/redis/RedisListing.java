package io.keyhold.internal.store.redis;

import io.keyhold.internal.TokenText;
import io.keyhold.internal.store.GrantRecord;
import io.keyhold.internal.store.HoldView;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.LockView;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads locks without touching them, with plain commands that any server and most ACLs allow. A lock's key is text like any
 * other; what tells it from a user's data is our token in it, or a grant on record beside it.
 */
final class RedisListing {

    /** A foreign value may be megabytes; a token is not. */
    private static final String LAST_CHARACTER = "511";

    private static final String LAST_SHOWN = Integer.toString(LockView.MOST_SHOWN - 1);

    private static final String KEYS_A_PAGE = "500";

    /** The replies that one key takes in {@link #questions}. */
    private static final int QUESTIONS = 6;

    private final RedisDriver driver;

    RedisListing(RedisDriver driver) {
        this.driver = driver;
    }

    CompletionStage<LockView> look(String key, CallMode mode) {
        return views(List.of(key), mode).thenApply(views -> views.get(0));
    }

    CompletionStage<LockStore.Page> page(String pattern, String cursor, CallMode mode) {
        return scan(pattern, cursor, "string", mode)
                .thenCompose(found -> views(found.keys(), mode)
                        .thenApply(views -> new LockStore.Page(
                                views.stream().filter(RedisListing::isLock).toList(), found.cursor())));
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

    private static boolean isLock(LockView view) {
        return view.holds().stream()
                .anyMatch(hold -> hold.record().isPresent()
                        || TokenText.read(hold.token()).isPresent());
    }

    /** One transaction for all keys, so that each view is of one moment. */
    private CompletionStage<List<LockView>> views(List<String> keys, CallMode mode) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedStage(List.of());
        }
        List<RedisCall> calls =
                keys.stream().flatMap(key -> questions(key).stream()).toList();
        return driver.<List<LockView>>exclusively(
                mode,
                session -> session.transaction(calls).thenApply(replies -> {
                    List<LockView> views = new ArrayList<>();
                    for (int i = 0; replies != null && i < keys.size(); i++) {
                        views.add(view(keys.get(i), replies.subList(i * QUESTIONS, (i + 1) * QUESTIONS)));
                    }
                    return views;
                }));
    }

    private static List<RedisCall> questions(String key) {
        return List.of(
                RedisCall.of("TYPE", key),
                RedisCall.of("GETRANGE", key, "0", LAST_CHARACTER),
                RedisCall.of("PTTL", key),
                RedisCall.of("GET", KeyNames.fence(key)),
                RedisCall.of("LRANGE", KeyNames.queue(key), "0", LAST_SHOWN),
                RedisCall.of("LLEN", KeyNames.queue(key)));
    }

    private static LockView view(String key, List<@Nullable Object> answers) {
        Optional<HoldView> hold = Replies.text(answers.get(0)).equals("none")
                ? Optional.empty()
                : Optional.of(new HoldView(
                        Replies.text(answers.get(1)),
                        1,
                        Replies.remaining(Replies.number(answers.get(2))),
                        Replies.optionalText(answers.get(3)).flatMap(GrantRecord::read)));
        return LockView.ofLock(key, hold, Replies.places(answers.get(4)), Replies.number(answers.get(5)));
    }
}
