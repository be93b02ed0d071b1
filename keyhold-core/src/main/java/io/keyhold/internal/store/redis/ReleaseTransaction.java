package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Frees a lock without a script. Nobody is handed the lock; but the first in its queue, if clients with scripts wait there,
 * is told to ask. Should this process die before that, the waiter finds out by looking.
 */
final class ReleaseTransaction {

    private final String key;
    private final String queue;

    ReleaseTransaction(String key) {
        this.key = key;
        this.queue = KeyNames.queue(key);
    }

    /** One attempt for whoever has this token; empty if it was disturbed. */
    CompletionStage<Optional<HoldReply>> attempt(RedisSession session, String token) {
        // MGET, because it answers nil for a key of another type, where GET fails.
        List<RedisCall> reads = List.of(RedisCall.of("WATCH", key), RedisCall.of("MGET", key));
        return session.pipeline(reads).thenCompose(replies -> {
            Optional<String> holder =
                    Replies.optionalText(Replies.list(replies.get(1)).get(0));
            if (holder.isEmpty() || !holder.get().equals(token)) {
                return session.pipeline(List.of(RedisCall.of("UNWATCH")))
                        .thenApply(unwatched -> Optional.of(new HoldReply.NotHeld(holder)));
            }
            return delete(session)
                    .thenApply(deleted -> deleted.isPresent() ? Optional.of(HoldReply.DONE) : Optional.empty());
        });
    }

    /** Whoever holds it. Answers whether anybody did; empty if it was disturbed. */
    CompletionStage<Optional<Boolean>> delete(RedisSession session) {
        return session.transaction(List.of(RedisCall.of("DEL", key), RedisCall.of("LINDEX", queue, "0")))
                .thenCompose(replies -> {
                    if (replies == null) {
                        return CompletableFuture.completedStage(Optional.empty());
                    }
                    boolean deleted = Replies.number(replies.get(0)) == 1;
                    // The lock is free, whatever becomes of the telling.
                    return tell(session, replies.get(1)).handle((told, failure) -> Optional.of(deleted));
                });
    }

    /** Tells the first in the queue; one that does not hear it any more loses its place, and the next is told. */
    private CompletionStage<@Nullable Object> tell(RedisSession session, @Nullable Object first) {
        if (first == null) {
            return CompletableFuture.completedStage(null);
        }
        String text = Replies.text(first);
        Optional<QueuePlace> place = QueuePlace.read(text);
        if (place.isEmpty()) {
            return dropAndTellNext(session, text);
        }
        RedisCall message = RedisInbox.freed(place.get().inbox(), place.get().number());
        return session.pipeline(List.of(message))
                .thenCompose(replies -> Replies.number(replies.get(0)) > 0
                        ? CompletableFuture.<@Nullable Object>completedStage(null)
                        : dropAndTellNext(session, text));
    }

    private CompletionStage<@Nullable Object> dropAndTellNext(RedisSession session, String place) {
        return session.pipeline(List.of(RedisCall.of("LREM", queue, "1", place), RedisCall.of("LINDEX", queue, "0")))
                .thenCompose(replies -> tell(session, replies.get(1)));
    }
}
