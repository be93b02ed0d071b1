package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.Limit;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The steps of {@code resize.lua}, taken from here. Nobody is served; but the first who waits is told to ask. */
final class ResizeTransaction {

    private final PermitKeys keys;
    private final FirstInLine line;
    private final int says;
    private final int permits;
    private final long retentionMillis;

    ResizeTransaction(String key, int says, int permits, long retentionMillis) {
        this.keys = PermitKeys.of(key);
        this.line = new FirstInLine(keys.waiters());
        this.says = says;
        this.permits = permits;
        this.retentionMillis = retentionMillis;
    }

    /** One attempt, which answers how many there were; empty if it was disturbed. */
    CompletionStage<Optional<Integer>> attempt(RedisSession session) {
        return PermitsReading.read(session, keys, PermitsReading.NOBODY).thenCompose(reading -> {
            int before = reading.limit().orElse(says);
            if (before == Limit.READ_WRITE) {
                return session.pipeline(List.of(RedisCall.of("UNWATCH"))).thenApply(unwatched -> Optional.of(before));
            }
            List<RedisCall> writes = new ArrayList<>(reading.drops());
            writes.add(RedisCall.of(
                    "HSET",
                    keys.state(),
                    "limit",
                    Integer.toString(permits),
                    "said",
                    Integer.toString(reading.said().orElse(says)),
                    "used",
                    Long.toString(reading.used())));
            writes.add(reading.keepState(retentionMillis));
            writes.add(line.question());
            return session.transaction(writes).thenCompose(done -> {
                if (done == null) {
                    return CompletableFuture.completedStage(Optional.empty());
                }
                return line.tell(session, done.get(done.size() - 1)).handle((told, failure) -> Optional.of(before));
            });
        });
    }
}
