package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.GrantRecord;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The steps of {@code acquire.lua}, taken from here. */
final class AcquireTransaction {

    private final AcquireRequest request;
    private final String key;
    private final String fence;
    private final long retentionMillis;

    AcquireTransaction(AcquireRequest request, long retentionMillis) {
        this.request = request;
        this.key = request.claim().key();
        this.fence = KeyNames.fence(key);
        this.retentionMillis = retentionMillis;
    }

    /** One attempt; empty if it was disturbed. */
    CompletionStage<Optional<AcquireReply>> attempt(RedisSession session) {
        List<RedisCall> reads = List.of(
                RedisCall.of("WATCH", key, fence),
                RedisCall.of("GET", key),
                RedisCall.of("PTTL", key),
                RedisCall.of("GET", fence),
                RedisCall.of("TIME"));
        return session.pipeline(reads).thenCompose(replies -> decide(session, replies));
    }

    private CompletionStage<Optional<AcquireReply>> decide(RedisSession session, List<@Nullable Object> replies) {
        Optional<String> holder = Replies.optionalText(replies.get(1));
        long pttl = Replies.number(replies.get(2));
        boolean ours = holder.isPresent() && holder.get().equals(request.token());
        boolean free = holder.isEmpty() && request.ifFree() == AcquireRequest.IfFree.TAKE;
        if (!ours && !free) {
            // Its kind does not matter: whoever asks by transaction does not wait in the queue.
            AcquireReply busy = new AcquireReply.Busy(
                    holder, Replies.remaining(pttl), OptionalLong.empty(), AcquireReply.HolderKind.KEYHOLD);
            return session.pipeline(List.of(RedisCall.of("UNWATCH"))).thenApply(unwatched -> Optional.of(busy));
        }
        Optional<GrantRecord> last = Replies.optionalText(replies.get(3)).flatMap(GrantRecord::read);
        boolean onRecord = ours && last.isPresent() && last.get().token().equals(request.token());
        long now = Replies.micros(replies.get(4));
        GrantRecord grant =
                onRecord ? last.orElseThrow() : new GrantRecord(GrantRecord.next(last, now), now, request.token());
        return session.transaction(writes(grant, ours, pttl))
                .thenApply(done -> done == null
                        ? Optional.<AcquireReply>empty()
                        : Optional.of(new AcquireReply.Granted(grant.fencingToken())));
    }

    private List<RedisCall> writes(GrantRecord grant, boolean ours, long pttl) {
        String lease = Long.toString(request.leaseMillis());
        boolean expires = request.leaseMillis() != AcquireRequest.NO_EXPIRY;
        List<RedisCall> writes = new ArrayList<>();
        writes.add(RedisCall.of(
                "SET",
                fence,
                grant.text(),
                "PX",
                Long.toString(retentionMillis + Math.max(request.leaseMillis(), pttl))));
        if (!ours) {
            writes.add(
                    expires
                            ? RedisCall.of("SET", key, request.token(), "PX", lease)
                            : RedisCall.of("SET", key, request.token()));
        } else if (!expires) {
            writes.add(RedisCall.of("PERSIST", key));
        } else if (pttl < request.leaseMillis()) {
            writes.add(RedisCall.of("PEXPIRE", key, lease));
        }
        return writes;
    }
}
