package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.HoldReply;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Frees one lock or several without a script. Nobody is handed them; but the first in each queue is told to ask. */
final class ReleaseTransaction {

    private final List<String> keys;

    ReleaseTransaction(List<String> keys) {
        this.keys = keys;
    }

    /** One attempt for whoever has this token; empty if it was disturbed. */
    CompletionStage<Optional<HoldReply>> attempt(RedisSession session, String token) {
        // MGET, because it answers nil for a key of another type, where GET fails.
        List<RedisCall> reads = List.of(new RedisCall("WATCH", keys), new RedisCall("MGET", keys));
        return session.pipeline(reads).thenCompose(replies -> {
            List<?> holders = Replies.list(replies.get(1));
            List<String> held = new ArrayList<>();
            HoldReply outcome = HoldReply.DONE;
            for (int i = 0; i < keys.size(); i++) {
                Optional<String> holder = Replies.optionalText(holders.get(i));
                if (holder.isPresent() && holder.get().equals(token)) {
                    held.add(keys.get(i));
                } else if (outcome instanceof HoldReply.Done) {
                    outcome = new HoldReply.NotHeld(holder);
                }
            }
            HoldReply reply = outcome;
            if (held.isEmpty()) {
                return session.pipeline(List.of(RedisCall.of("UNWATCH"))).thenApply(unwatched -> Optional.of(reply));
            }
            return delete(session, held).thenApply(deleted -> deleted.map(number -> reply));
        });
    }

    /** Whoever holds it. Answers whether anybody did; empty if it was disturbed. */
    CompletionStage<Optional<Boolean>> delete(RedisSession session) {
        return delete(session, keys).thenApply(deleted -> deleted.map(number -> number > 0));
    }

    private static CompletionStage<Optional<Long>> delete(RedisSession session, List<String> locks) {
        List<FirstInLine> lines = locks.stream()
                .map(lock -> new FirstInLine(KeyNames.queue(lock)))
                .toList();
        List<RedisCall> calls = new ArrayList<>();
        calls.add(new RedisCall("DEL", locks));
        lines.forEach(line -> calls.add(line.question()));
        return session.transaction(calls).thenCompose(replies -> {
            if (replies == null) {
                return CompletableFuture.completedStage(Optional.empty());
            }
            long deleted = Replies.number(replies.get(0));
            // The locks are free, whatever becomes of the telling.
            return tellAll(session, lines, replies.subList(1, replies.size()))
                    .handle((told, failure) -> Optional.of(deleted));
        });
    }

    private static CompletionStage<Boolean> tellAll(
            RedisSession session, List<FirstInLine> lines, List<@Nullable Object> firsts) {
        CompletionStage<Boolean> told = CompletableFuture.completedStage(true);
        for (int i = 0; i < lines.size(); i++) {
            FirstInLine line = lines.get(i);
            Object first = firsts.get(i);
            told = told.thenCompose(before -> line.tell(session, first));
        }
        return told;
    }
}
