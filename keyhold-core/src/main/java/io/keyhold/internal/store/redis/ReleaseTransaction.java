package io.keyhold.internal.store.redis;

import io.keyhold.internal.TokenText;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisErrorException;
import io.keyhold.spi.RedisSession;
import io.keyhold.spi.Stages;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Frees a lock without a script, or lets it rest. It cannot hand the lock over, so the first client of the queue that listens is told to ask.
 * Should this process die before that, the waiter finds out by looking.
 */
final class ReleaseTransaction {

    private final RedisSession session;
    private final String key;
    private final String queue;

    ReleaseTransaction(RedisSession session, String key) {
        this.session = session;
        this.key = key;
        this.queue = KeyNames.of(key).queue();
    }

    /** One attempt to end this token's hold; empty if it was disturbed. */
    CompletionStage<Optional<HoldReply>> release(ReleaseRequest request) {
        // MGET, because it returns nil for a key of another type, where GET fails.
        List<RedisCall> reads = List.of(RedisCall.of("WATCH", key), RedisCall.of("MGET", key));
        return session.pipeline(reads).thenCompose(replies -> {
            Object value = Replies.list(replies.get(1)).get(0);
            HoldReply reply = Replies.holding(value, request.token());
            if (!(reply instanceof HoldReply.Done)) {
                return Attempt.ended(session, List.of(), reply);
            }
            CompletionStage<Boolean> ended = request.rests() ? rest(request, Replies.text(value)) : delete();
            return ended.thenApply(done -> done ? Optional.of(reply) : Optional.empty());
        });
    }

    /** Keeps the lock taken by a token that no request has, as {@code rest.lua} does. */
    private CompletionStage<Boolean> rest(ReleaseRequest request, String value) {
        String resting = TokenText.resting(request.token())
                + value.substring(request.token().length());
        return freeing(RedisCall.of("SET", key, resting, "PX", Long.toString(request.restMillis())));
    }

    /** One attempt to end any hold. Returns whether there was one; empty if it was disturbed. Fails for data of another kind. */
    CompletionStage<Optional<Boolean>> force() {
        return session.pipeline(List.of(RedisCall.of("WATCH", key), RedisCall.of("GET", key)))
                .thenCompose(replies -> {
                    boolean held = replies.get(1) != null;
                    return delete().thenApply(done -> done ? Optional.of(held) : Optional.empty());
                });
    }

    private CompletionStage<Boolean> delete() {
        return freeing(RedisCall.of("DEL", key));
    }

    /** Ends a hold by this write, and tells the head of the queue. Returns false if it was disturbed, and nothing was written. */
    private CompletionStage<Boolean> freeing(RedisCall write) {
        List<RedisCall> calls =
                List.of(write, RedisCall.of("DEL", KeyNames.of(key).last()), first());
        return session.transaction(calls)
                .exceptionallyCompose(ReleaseTransaction::withoutHead)
                .thenCompose(replies -> {
                    if (replies == null) {
                        return CompletableFuture.completedStage(false);
                    }
                    // It is done, even if the message fails.
                    return tell(replies.get(replies.size() - 1)).handle((told, failure) -> true);
                });
    }

    /** Data of another kind under the key of the queue is no queue. Only the call for the head looks at a type; the writes before it are done. */
    private static CompletionStage<@Nullable List<@Nullable Object>> withoutHead(Throwable failure) {
        return Stages.unwrapped(failure) instanceof RedisErrorException error
                        && error.code().equals("WRONGTYPE")
                ? CompletableFuture.completedStage(Collections.singletonList(null))
                : CompletableFuture.failedStage(failure);
    }

    private RedisCall first() {
        return RedisCall.of("LINDEX", queue, "0");
    }

    /** Tells the client of this entry that the lock is free. An entry whose client does not listen is dropped, and the next is told. */
    private CompletionStage<Void> tell(@Nullable Object first) {
        if (first == null) {
            return CompletableFuture.completedStage(null);
        }
        String text = Replies.text(first);
        Optional<QueuePlace> place = QueuePlace.read(text);
        if (place.isEmpty()) {
            return dropAndTellNext(text);
        }
        String channel = place.get().channel();
        RedisCall message = RedisGrantSubscription.freed(channel, place.get().number());
        return session.pipeline(List.of(RedisGrantSubscription.subscribers(channel), message))
                .thenCompose(replies -> RedisGrantSubscription.isAny(replies.get(0))
                        ? CompletableFuture.completedStage(null)
                        : dropAndTellNext(text));
    }

    private CompletionStage<Void> dropAndTellNext(String text) {
        return session.pipeline(List.of(RedisCall.of("LREM", queue, "1", text), first()))
                .thenCompose(replies -> tell(replies.get(1)));
    }
}
