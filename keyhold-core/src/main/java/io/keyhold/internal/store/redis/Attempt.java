package io.keyhold.internal.store.redis;

import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The end of an attempt of a transaction. */
final class Attempt {

    private Attempt() {}

    /** Writes in a transaction, or only ends the watch if there is nothing to write. Returns empty if a watched key has changed. */
    static <T> CompletionStage<Optional<T>> ended(RedisSession session, List<RedisCall> writes, T outcome) {
        return writes.isEmpty()
                ? session.pipeline(List.of(RedisCall.of("UNWATCH"))).thenApply(unwatched -> Optional.of(outcome))
                : session.transaction(writes)
                        .thenApply(replies -> replies == null ? Optional.<T>empty() : Optional.of(outcome));
    }
}
