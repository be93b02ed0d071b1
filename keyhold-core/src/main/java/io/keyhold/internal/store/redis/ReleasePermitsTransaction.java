package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.HoldReply;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Gives back permits, one holder's or all, without a script. Nobody is handed them; but the first who waits is told to ask. */
final class ReleasePermitsTransaction {

    private final PermitKeys keys;
    private final FirstInLine line;
    private final long retentionMillis;

    ReleasePermitsTransaction(String key, long retentionMillis) {
        this.keys = PermitKeys.of(key);
        this.line = new FirstInLine(keys.waiters());
        this.retentionMillis = retentionMillis;
    }

    /** One attempt for whoever has this token; empty if it was disturbed. */
    CompletionStage<Optional<HoldReply>> attempt(RedisSession session, String token) {
        return WrongType.is(
                PermitsReading.read(session, keys, token).thenCompose(reading -> release(session, reading, token)),
                words -> Optional.of(new HoldReply.NotHeld(Optional.of(words))));
    }

    private CompletionStage<Optional<HoldReply>> release(RedisSession session, PermitsReading reading, String token) {
        boolean held = reading.end().isPresent();
        HoldReply reply = held ? HoldReply.DONE : new HoldReply.NotHeld(Optional.empty());
        if (!held && !reading.hasExpired()) {
            return session.pipeline(List.of(RedisCall.of("UNWATCH"))).thenApply(unwatched -> Optional.of(reply));
        }
        List<RedisCall> writes = new ArrayList<>(reading.drops());
        long used = reading.used();
        if (held) {
            writes.addAll(PermitsReading.drop(keys, List.of(token)));
            used = reading.holding() == 1
                    ? 0
                    : used - reading.detail().map(PermitsDetail::permits).orElse(0);
        }
        if (reading.limit().isPresent()) {
            writes.add(RedisCall.of("HSET", keys.state(), "used", Long.toString(used)));
        }
        return freed(session, writes, reply);
    }

    /** All of them, whoever holds them. Answers whether anybody did; empty if it was disturbed. */
    CompletionStage<Optional<Boolean>> clear(RedisSession session) {
        return PermitsReading.read(session, keys, PermitsReading.NOBODY).thenCompose(reading -> {
            List<RedisCall> writes = new ArrayList<>();
            writes.add(RedisCall.of("DEL", keys.holders(), keys.state()));
            if (reading.limit().isPresent()) {
                String limit = Integer.toString(reading.limit().getAsInt());
                String said =
                        Integer.toString(reading.said().orElse(reading.limit().getAsInt()));
                String fence = Long.toString(reading.fence());
                writes.add(
                        RedisCall.of("HSET", keys.state(), "limit", limit, "said", said, "used", "0", "fence", fence));
                writes.add(RedisCall.of("PEXPIRE", keys.state(), Long.toString(retentionMillis)));
            }
            return freed(session, writes, !reading.isEmpty());
        });
    }

    private <T> CompletionStage<Optional<T>> freed(RedisSession session, List<RedisCall> writes, T reply) {
        writes.add(line.question());
        return session.transaction(writes).thenCompose(done -> {
            if (done == null) {
                return CompletableFuture.completedStage(Optional.empty());
            }
            // The permits are free, whatever becomes of the telling.
            return line.tell(session, done.get(done.size() - 1)).handle((told, failure) -> Optional.of(reply));
        });
    }
}
