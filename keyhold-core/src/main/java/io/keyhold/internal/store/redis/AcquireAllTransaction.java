package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantRecord;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The steps of {@code acquire_all.lua}, taken from here. */
final class AcquireAllTransaction {

    /** The replies that one lock takes. */
    private static final int QUESTIONS = 3;

    private final Claim.Locks claim;
    private final AcquireRequest request;
    private final long retentionMillis;

    AcquireAllTransaction(Claim.Locks claim, AcquireRequest request, long retentionMillis) {
        this.claim = claim;
        this.request = request;
        this.retentionMillis = retentionMillis;
    }

    /** A lock as it was read. */
    private record Reading(String key, Optional<String> holder, long pttl, Optional<GrantRecord> last) {}

    /** One attempt; empty if it was disturbed. */
    CompletionStage<Optional<AcquireReply>> attempt(RedisSession session) {
        List<String> watched = new ArrayList<>(claim.keys());
        claim.keys().forEach(key -> watched.add(KeyNames.fence(key)));
        List<RedisCall> reads = new ArrayList<>(List.of(new RedisCall("WATCH", watched), RedisCall.of("TIME")));
        for (String key : claim.keys()) {
            reads.add(RedisCall.of("GET", key));
            reads.add(RedisCall.of("PTTL", key));
            reads.add(RedisCall.of("GET", KeyNames.fence(key)));
        }
        return session.pipeline(reads).thenCompose(replies -> {
            List<Reading> locks = new ArrayList<>();
            for (int i = 0; i < claim.keys().size(); i++) {
                List<@Nullable Object> answers = replies.subList(2 + i * QUESTIONS, 2 + (i + 1) * QUESTIONS);
                locks.add(new Reading(
                        claim.keys().get(i),
                        Replies.optionalText(answers.get(0)),
                        Replies.number(answers.get(1)),
                        Replies.optionalText(answers.get(2)).flatMap(GrantRecord::read)));
            }
            return decide(session, locks, ServerTime.micros(replies.get(1)));
        });
    }

    private CompletionStage<Optional<AcquireReply>> decide(RedisSession session, List<Reading> locks, long now) {
        for (int i = 0; i < locks.size(); i++) {
            if (!isToBeHad(locks.get(i), i)) {
                // Its kind does not matter: whoever asks by transaction does not wait in the queue.
                AcquireReply busy = new AcquireReply.Busy(
                        locks.get(i).holder(),
                        Replies.remaining(locks.get(i).pttl()),
                        OptionalLong.empty(),
                        AcquireReply.HolderKind.KEYHOLD);
                return session.pipeline(List.of(RedisCall.of("UNWATCH"))).thenApply(unwatched -> Optional.of(busy));
            }
        }
        Optional<GrantRecord> common = commonRecord(locks);
        GrantRecord grant = common.orElseGet(() -> new GrantRecord(numberAbove(locks, now), now, request.token()));
        List<RedisCall> writes = new ArrayList<>();
        locks.forEach(lock -> writes.addAll(writes(lock, grant)));
        return session.transaction(writes)
                .thenApply(done -> done == null
                        ? Optional.<AcquireReply>empty()
                        : Optional.of(new AcquireReply.Granted(grant.fencingToken())));
    }

    private boolean isToBeHad(Reading lock, int index) {
        if (lock.holder().isEmpty()) {
            return request.ifFree() == AcquireRequest.IfFree.TAKE;
        }
        String holder = lock.holder().get();
        List<String> parts = claim.parts();
        return isOurs(lock) || (index < parts.size() && holder.equals(parts.get(index)));
    }

    private boolean isOurs(Reading lock) {
        return lock.holder().isPresent() && lock.holder().get().equals(request.token());
    }

    /** The record that this token has for all of these locks already, if it holds them by one. */
    private Optional<GrantRecord> commonRecord(List<Reading> locks) {
        Optional<GrantRecord> first =
                locks.get(0).last().filter(record -> record.token().equals(request.token()));
        return locks.stream().allMatch(lock -> isOurs(lock) && lock.last().equals(first)) ? first : Optional.empty();
    }

    private static long numberAbove(List<Reading> locks, long now) {
        return locks.stream()
                .mapToLong(lock -> GrantRecord.next(lock.last(), now))
                .max()
                .orElseThrow();
    }

    private List<RedisCall> writes(Reading lock, GrantRecord grant) {
        boolean expires = request.leaseMillis() != AcquireRequest.NO_EXPIRY;
        boolean lastsLonger = isOurs(lock) && expires && lock.pttl() > request.leaseMillis();
        long kept = retentionMillis + (lastsLonger ? lock.pttl() : request.leaseMillis());
        List<RedisCall> writes = new ArrayList<>();
        writes.add(RedisCall.of("SET", KeyNames.fence(lock.key()), grant.text(), "PX", Long.toString(kept)));
        if (!expires) {
            writes.add(RedisCall.of("SET", lock.key(), request.token()));
        } else if (!lastsLonger) {
            writes.add(RedisCall.of("SET", lock.key(), request.token(), "PX", Long.toString(request.leaseMillis())));
        }
        return writes;
    }
}
