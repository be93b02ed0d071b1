package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.LockValue;
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
    private final String counter;

    AcquireTransaction(AcquireRequest request) {
        this.request = request;
        this.key = request.claim().key();
        this.counter = KeyNames.of(key).counter();
    }

    /** One attempt; empty if it was disturbed. */
    CompletionStage<Optional<AcquireReply>> attempt(RedisSession session) {
        List<RedisCall> reads = List.of(
                RedisCall.of("WATCH", key, counter),
                RedisCall.of("GET", key),
                RedisCall.of("PTTL", key),
                RedisCall.of("GET", counter),
                RedisCall.of("TIME"));
        return session.pipeline(reads).thenCompose(replies -> decide(session, replies));
    }

    private CompletionStage<Optional<AcquireReply>> decide(RedisSession session, List<@Nullable Object> replies) {
        Optional<String> value = Replies.optionalText(replies.get(1));
        long pttl = Replies.number(replies.get(2));
        long now = Replies.micros(replies.get(4));
        long next = LockValue.next(
                Replies.optionalText(replies.get(3))
                        .map(AcquireTransaction::number)
                        .orElse(0L),
                now);
        Optional<String> ours = value.filter(text -> LockValue.isOf(text, request.token()));
        if (ours.isPresent()) {
            // A foreign hold that is adopted has no number, and gets one.
            return prolonged(
                    session,
                    ours.filter(text -> !text.equals(request.token()))
                            .flatMap(LockValue::read)
                            .map(LockValue::fencingToken),
                    next,
                    pttl);
        }
        if (value.isPresent() || request.ifFree() == AcquireRequest.IfFree.LEAVE) {
            // The holder's kind does not matter: a request by transaction does not wait in the queue.
            AcquireReply busy = new AcquireReply.Busy(
                    value.map(LockValue::tokenIn),
                    Replies.remaining(pttl),
                    OptionalLong.empty(),
                    AcquireReply.HolderKind.KEYHOLD);
            return Attempt.ended(session, List.of(), busy);
        }
        LockValue grant = new LockValue(request.token(), next, now);
        RedisCall take = expires()
                ? RedisCall.of("SET", key, grant.text(), "PX", lease())
                : RedisCall.of("SET", key, grant.text());
        return Attempt.ended(session, List.of(count(next), take), new AcquireReply.Granted(next));
    }

    /** Anything but a number counts as none, as in {@code number.lua}. */
    private static long number(String counter) {
        return counter.matches("\\d{1,18}") ? Long.parseLong(counter) : 0;
    }

    private RedisCall count(long number) {
        return RedisCall.of("SET", counter, Long.toString(number));
    }

    private CompletionStage<Optional<AcquireReply>> prolonged(
            RedisSession session, Optional<Long> known, long next, long pttl) {
        List<RedisCall> writes = new ArrayList<>();
        if (known.isEmpty()) {
            writes.add(count(next));
        }
        if (!expires()) {
            writes.add(RedisCall.of("PERSIST", key));
        } else if (pttl < request.leaseMillis()) {
            writes.add(RedisCall.of("PEXPIRE", key, lease()));
        }
        return Attempt.ended(session, writes, new AcquireReply.Granted(known.orElse(next)));
    }

    private boolean expires() {
        return request.leaseMillis() != AcquireRequest.NO_EXPIRY;
    }

    private String lease() {
        return Long.toString(request.leaseMillis());
    }
}
