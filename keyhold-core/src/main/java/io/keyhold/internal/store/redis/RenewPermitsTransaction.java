package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The steps of {@code renew_permits.lua}, taken from here. One thing it cannot do: a server that has reached its maxmemory
 * refuses the new end of a hold.
 */
final class RenewPermitsTransaction implements RenewBatch {

    private final List<Renewals.Hold> holds;
    private final long retentionMillis;
    /** For how long the holders of each key are kept, as read and then as written: one key may be in the batch many times. */
    private final Map<String, Long> kept = new HashMap<>();

    RenewPermitsTransaction(List<Renewals.Hold> holds, long retentionMillis) {
        this.holds = holds;
        this.retentionMillis = retentionMillis;
    }

    /** A key of another type is that hold's loss. In a batch it is a disturbance: one by one it shows which. */
    @Override
    public CompletionStage<Optional<List<HoldReply>>> attempt(RedisSession session) {
        List<RedisCall> reads = new ArrayList<>();
        reads.add(new RedisCall("WATCH", holds.stream().map(Renewals.Hold::key).toList()));
        reads.add(RedisCall.of("TIME"));
        for (Renewals.Hold hold : holds) {
            reads.add(RedisCall.of("ZSCORE", hold.key(), hold.token()));
            reads.add(RedisCall.of("PTTL", hold.key()));
        }
        return WrongType.is(
                session.pipeline(reads).thenCompose(replies -> decide(session, replies)),
                words -> holds.size() == 1
                        ? Optional.of(List.of(new HoldReply.NotHeld(Optional.of(words))))
                        : Optional.empty());
    }

    private CompletionStage<Optional<List<HoldReply>>> decide(RedisSession session, List<@Nullable Object> replies) {
        long now = ServerTime.micros(replies.get(1));
        List<HoldReply> outcome = new ArrayList<>();
        List<RedisCall> todo = new ArrayList<>();
        kept.clear();
        for (int i = 0; i < holds.size(); i++) {
            Object score = replies.get(2 + 2 * i);
            kept.putIfAbsent(holds.get(i).key(), Replies.number(replies.get(3 + 2 * i)));
            if (score != null && ServerTime.end(score) > now) {
                todo.addAll(writes(holds.get(i), ServerTime.end(score), now));
                outcome.add(HoldReply.DONE);
            } else {
                outcome.add(new HoldReply.NotHeld(Optional.empty()));
            }
        }
        if (todo.isEmpty()) {
            return session.pipeline(List.of(RedisCall.of("UNWATCH"))).thenApply(unwatched -> Optional.of(outcome));
        }
        return session.transaction(todo)
                .thenApply(done -> done == null ? Optional.<List<HoldReply>>empty() : Optional.of(outcome));
    }

    private List<RedisCall> writes(Renewals.Hold hold, long end, long now) {
        long left = kept.getOrDefault(hold.key(), 0L);
        long lease = hold.leaseMillis();
        List<RedisCall> writes = new ArrayList<>();
        String keepState = Long.toString(retentionMillis + Math.max(left, lease));
        writes.add(RedisCall.of("PEXPIRE", KeyNames.permits(hold.key()), keepState));
        long newEnd = now + lease * 1000;
        if (lease != AcquireRequest.NO_EXPIRY && newEnd > end) {
            writes.add(RedisCall.of("ZADD", hold.key(), "XX", Long.toString(newEnd), hold.token()));
            if (left >= 0 && left <= lease) {
                writes.add(RedisCall.of("PEXPIRE", hold.key(), Long.toString(lease + 1)));
                kept.put(hold.key(), lease + 1);
            }
        }
        return writes;
    }
}
