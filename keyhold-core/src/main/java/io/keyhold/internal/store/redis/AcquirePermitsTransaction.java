package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * The steps of {@code acquire_permits.lua}, taken from here, for one permit. Whoever asks like this stands in no queue; but where
 * somebody does, the semaphore is busy: else those who ask again and again would starve those who wait for many.
 */
final class AcquirePermitsTransaction {

    private final Claim.Permits claim;
    private final AcquireRequest request;
    private final PermitKeys keys;
    private final long retentionMillis;

    AcquirePermitsTransaction(Claim.Permits claim, AcquireRequest request, long retentionMillis) {
        this.claim = claim;
        this.request = request;
        this.keys = PermitKeys.of(claim.key());
        this.retentionMillis = retentionMillis;
    }

    /** One attempt; empty if it was disturbed. */
    CompletionStage<Optional<AcquireReply>> attempt(RedisSession session) {
        return PermitsReading.read(session, keys, request.token()).thenCompose(reading -> decide(session, reading));
    }

    private CompletionStage<Optional<AcquireReply>> decide(RedisSession session, PermitsReading reading) {
        if (reading.end().isPresent()) {
            return goOn(session, reading, reading.end().getAsLong());
        }
        if (request.ifFree() == AcquireRequest.IfFree.LEAVE) {
            return answer(session, busy(reading));
        }
        int limit = reading.limit().orElse(claim.limit().permits());
        if (claim.permits() > limit || isRefused(reading, limit)) {
            return answer(session, new AcquireReply.OtherLimit(limit));
        }
        if (reading.firstInLine() != null) {
            return reading.isTurnOfFirstInLine(limit)
                    ? leaveToFirstInLine(session, reading)
                    : answer(session, busy(reading));
        }
        return reading.used() + claim.permits() <= limit
                ? grant(session, reading, limit)
                : answer(session, busy(reading));
    }

    private boolean isRefused(PermitsReading reading, int limit) {
        int says = claim.limit().permits();
        boolean other = says != limit && says != reading.said().orElse(limit);
        // A read/write lock is never joined: readers would come in here before writers who wait.
        return other && (claim.limit().ifOther() == Limit.IfOther.REFUSE || limit == Limit.READ_WRITE);
    }

    /** What is free is for whoever stands first in line. If nobody there hears of it, the line is empty, and this looks again. */
    private CompletionStage<Optional<AcquireReply>> leaveToFirstInLine(RedisSession session, PermitsReading reading) {
        return session.pipeline(List.of(RedisCall.of("UNWATCH")))
                .thenCompose(unwatched -> new FirstInLine(keys.waiters()).tell(session, reading.firstInLine()))
                // Those who cannot be told find out by looking.
                .handle((heard, failure) ->
                        failure != null || heard ? Optional.of(busy(reading)) : Optional.<AcquireReply>empty());
    }

    private static AcquireReply busy(PermitsReading reading) {
        return new AcquireReply.Busy(
                reading.firstHolder(),
                reading.firstRemainingMillis(),
                OptionalLong.empty(),
                AcquireReply.HolderKind.KEYHOLD);
    }

    private static CompletionStage<Optional<AcquireReply>> answer(RedisSession session, AcquireReply reply) {
        return session.pipeline(List.of(RedisCall.of("UNWATCH"))).thenApply(unwatched -> Optional.of(reply));
    }

    private CompletionStage<Optional<AcquireReply>> grant(RedisSession session, PermitsReading reading, int limit) {
        long number = reading.nextNumber();
        List<RedisCall> writes = new ArrayList<>(reading.drops());
        writes.add(RedisCall.of("ZADD", keys.holders(), end(reading), request.token()));
        writes.add(note(
                reading,
                limit,
                reading.used() + claim.permits(),
                new PermitsDetail(claim.permits(), number, reading.now())));
        writes.add(reading.keepState(retentionMillis + request.leaseMillis()));
        keepHolders(reading).ifPresent(writes::add);
        return granted(session, writes, number);
    }

    private CompletionStage<Optional<AcquireReply>> goOn(RedisSession session, PermitsReading reading, long end) {
        List<RedisCall> writes = new ArrayList<>();
        long number = reading.detail().map(PermitsDetail::fencingToken).orElseGet(reading::nextNumber);
        if (reading.detail().isEmpty()) {
            // The state was lost, and this hold's number with it. A new one is larger all the same.
            int limit = reading.limit().orElse(claim.limit().permits());
            writes.add(note(reading, limit, limit, new PermitsDetail(0, number, reading.now())));
        }
        writes.add(reading.keepState(retentionMillis + request.leaseMillis()));
        boolean expires = request.leaseMillis() != AcquireRequest.NO_EXPIRY;
        if (!expires || reading.now() + request.leaseMillis() * 1000 > end) {
            writes.add(RedisCall.of("ZADD", keys.holders(), "XX", end(reading), request.token()));
            keepHolders(reading).ifPresent(writes::add);
        }
        return granted(session, writes, number);
    }

    private String end(PermitsReading reading) {
        return request.leaseMillis() == AcquireRequest.NO_EXPIRY
                ? "+inf"
                : Long.toString(reading.now() + request.leaseMillis() * 1000);
    }

    private Optional<RedisCall> keepHolders(PermitsReading reading) {
        return request.leaseMillis() == AcquireRequest.NO_EXPIRY
                ? Optional.of(RedisCall.of("PERSIST", keys.holders()))
                : reading.keepHolders(request.leaseMillis());
    }

    private RedisCall note(PermitsReading reading, int limit, long used, PermitsDetail detail) {
        return new RedisCall(
                "HSET",
                List.of(
                        keys.state(),
                        "limit",
                        Integer.toString(limit),
                        "said",
                        Integer.toString(reading.said().orElse(claim.limit().permits())),
                        "used",
                        Long.toString(used),
                        "fence",
                        Long.toString(detail.fencingToken()),
                        PermitKeys.field(request.token()),
                        detail.text()));
    }

    private static CompletionStage<Optional<AcquireReply>> granted(
            RedisSession session, List<RedisCall> writes, long number) {
        return session.transaction(writes)
                .thenApply(done ->
                        done == null ? Optional.<AcquireReply>empty() : Optional.of(new AcquireReply.Granted(number)));
    }
}
