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

    private RenewTransaction() {}

    /** One attempt; empty if it was disturbed. */
    static CompletionStage<Optional<List<HoldReply>>> attempt(RedisSession session, List<RenewRequest> holds) {
        List<String> keys = holds.stream().map(hold -> hold.claim().key()).toList();
        List<RedisCall> reads = new ArrayList<>();
        reads.add(new RedisCall("WATCH", keys));
        // MGET, because it returns nil for a key of another type, where GET fails.
        reads.add(new RedisCall("MGET", keys));
        keys.forEach(key -> reads.add(RedisCall.of("PTTL", key)));
        return session.pipeline(reads).thenCompose(replies -> decide(session, holds, replies));
    }

    private static CompletionStage<Optional<List<HoldReply>>> decide(
            RedisSession session, List<RenewRequest> holds, List<@Nullable Object> replies) {
        List<?> holders = Replies.list(replies.get(1));
        List<HoldReply> outcome = new ArrayList<>();
        List<RedisCall> writes = new ArrayList<>();
        for (int i = 0; i < holds.size(); i++) {
            RenewRequest hold = holds.get(i);
            HoldReply reply = Replies.holding(holders.get(i), hold.token());
            outcome.add(reply);
            boolean longer = hold.leaseMillis() != AcquireRequest.NO_EXPIRY
                    && Replies.number(replies.get(2 + i)) < hold.leaseMillis();
            if (reply instanceof HoldReply.Done && longer) {
                writes.add(RedisCall.of("PEXPIRE", hold.claim().key(), Long.toString(hold.leaseMillis())));
            }
        }
        return Attempt.ended(session, writes, outcome);
    }
}
