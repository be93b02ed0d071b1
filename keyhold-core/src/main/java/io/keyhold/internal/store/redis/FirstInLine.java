package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.QueuePlace;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The first in a queue where clients with scripts wait. Without a script nobody can be handed what has become free; but the first
 * is told to ask. Should this process die before that, the waiter finds out by looking.
 */
final class FirstInLine {

    private final String queue;

    FirstInLine(String queue) {
        this.queue = queue;
    }

    /** Asks who it is; to be sent together with what frees something. */
    RedisCall question() {
        return RedisCall.of("LINDEX", queue, "0");
    }

    /**
     * Tells whoever the answer to the question names; one that does not hear it any more loses its place, and the next is told.
     * Answers whether anybody heard it.
     */
    CompletionStage<Boolean> tell(RedisSession session, @Nullable Object first) {
        if (first == null) {
            return CompletableFuture.completedStage(false);
        }
        String text = Replies.text(first);
        Optional<QueuePlace> place = QueuePlace.read(text);
        if (place.isEmpty()) {
            return dropAndTellNext(session, text);
        }
        String channel = place.get().inbox();
        RedisCall message = RedisInbox.freed(channel, place.get().number());
        return session.pipeline(List.of(RedisInbox.subscribers(channel), message))
                .thenCompose(replies -> RedisInbox.isAny(replies.get(0))
                        ? CompletableFuture.completedStage(true)
                        : dropAndTellNext(session, text));
    }

    private CompletionStage<Boolean> dropAndTellNext(RedisSession session, String place) {
        return session.pipeline(List.of(RedisCall.of("LREM", queue, "1", place), question()))
                .thenCompose(replies -> tell(session, replies.get(1)));
    }
}
