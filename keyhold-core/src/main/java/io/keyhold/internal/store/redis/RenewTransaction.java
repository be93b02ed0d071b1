package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The steps of {@code renew.lua}, taken from here. */
final class RenewTransaction {

    private final List<RenewRequest> holds;
    private final long retentionMillis;

    RenewTransaction(List<RenewRequest> holds, long retentionMillis) {
        this.holds = holds;
        this.retentionMillis = retentionMillis;
    }

    /** One attempt; empty if it was disturbed. */
    CompletionStage<Optional<List<HoldReply>>> attempt(RedisSession session) {
        List<String> keys = holds.stream().map(hold -> hold.claim().key()).toList();
        List<RedisCall> reads = new ArrayList<>();
        reads.add(new RedisCall("WATCH", keys));
        // MGET, because it answers nil for a key of another type, where GET fails.
        reads.add(new RedisCall("MGET", keys));
        keys.forEach(key -> reads.add(RedisCall.of("PTTL", key)));
        return session.pipeline(reads).thenCompose(replies -> decide(session, replies));
    }

    private CompletionStage<Optional<List<HoldReply>>> decide(RedisSession session, List<@Nullable Object> replies) {
        List<?> holders = Replies.list(replies.get(1));
        List<HoldReply> outcome = new ArrayList<>();
        List<RedisCall> todo = new ArrayList<>();
        for (int i = 0; i < holds.size(); i++) {
            Optional<String> holder = Replies.optionalText(holders.get(i));
            if (holder.isPresent() && holder.get().equals(holds.get(i).token())) {
                todo.addAll(writes(holds.get(i), Replies.number(replies.get(2 + i))));
                outcome.add(HoldReply.DONE);
            } else {
                outcome.add(new HoldReply.NotHeld(holder));
            }
        }
        if (todo.isEmpty()) {
            return session.pipeline(List.of(RedisCall.of("UNWATCH"))).thenApply(unwatched -> Optional.of(outcome));
        }
        return session.transaction(todo)
                .thenApply(done -> done == null ? Optional.<List<HoldReply>>empty() : Optional.of(outcome));
    }

    private List<RedisCall> writes(RenewRequest held, long pttl) {
        String retention = Long.toString(retentionMillis + Math.max(held.leaseMillis(), pttl));
        RedisCall keepRecord =
                RedisCall.of("PEXPIRE", KeyNames.fence(held.claim().key()), retention);
        boolean longer = held.leaseMillis() != AcquireRequest.NO_EXPIRY && pttl < held.leaseMillis();
        return longer
                ? List.of(RedisCall.of("PEXPIRE", held.claim().key(), Long.toString(held.leaseMillis())), keepRecord)
                : List.of(keepRecord);
    }
}
