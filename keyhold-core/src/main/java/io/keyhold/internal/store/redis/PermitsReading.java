package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.GrantRecord;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A semaphore as a transaction reads it, all of its keys under watch: what {@code open} in {@code permits.lua} finds out. Those
 * whose time is over count no more; {@link #drops()} takes them out.
 */
final class PermitsReading {

    /** For whoever reads for no holder. */
    static final String NOBODY = "";

    /** When the state was lost, nobody comes in before all have gone. */
    private static final long ALL = Integer.MAX_VALUE;

    /** As many are dropped at a time; the rest waits for the next who comes. */
    private static final String MOST_DROPPED = "1000";

    /** A hold of a token, and its end. */
    private record Hold(String token, long endMicros) {}

    private final PermitKeys keys;
    private final long now;
    private final Optional<Hold> first;
    private final long holders;
    private final OptionalLong end;
    private final long expiryMillis;
    private final long stateExpiryMillis;
    private final List<?> state;
    private final @Nullable Object firstInLine;
    private List<String> expired = List.of();
    private long expiredPermits;

    private PermitsReading(PermitKeys keys, List<@Nullable Object> replies) {
        this.keys = keys;
        this.now = ServerTime.micros(replies.get(1));
        this.first = first(Replies.list(replies.get(2)));
        this.holders = Replies.number(replies.get(3));
        this.end = replies.get(4) == null ? OptionalLong.empty() : OptionalLong.of(ServerTime.end(replies.get(4)));
        this.expiryMillis = Replies.number(replies.get(5));
        this.stateExpiryMillis = Replies.number(replies.get(6));
        this.state = Replies.list(replies.get(7));
        this.firstInLine = replies.get(8);
    }

    /** For whoever has this token. */
    static CompletionStage<PermitsReading> read(RedisSession session, PermitKeys keys, String token) {
        List<RedisCall> reads = List.of(
                RedisCall.of("WATCH", keys.holders(), keys.state(), keys.waiters()),
                RedisCall.of("TIME"),
                RedisCall.of("ZRANGE", keys.holders(), "0", "0", "WITHSCORES"),
                RedisCall.of("ZCARD", keys.holders()),
                RedisCall.of("ZSCORE", keys.holders(), token),
                RedisCall.of("PTTL", keys.holders()),
                RedisCall.of("PTTL", keys.state()),
                RedisCall.of("HMGET", keys.state(), "limit", "said", "used", "fence", PermitKeys.field(token)),
                RedisCall.of("LINDEX", keys.waiters(), "0"));
        return session.pipeline(reads).thenCompose(replies -> {
            PermitsReading reading = new PermitsReading(keys, replies);
            return reading.first.isPresent() && reading.first.get().endMicros() <= reading.now
                    ? reading.findExpired(session)
                    : CompletableFuture.completedStage(reading);
        });
    }

    /** RESP3 puts a holder and its score into a list of their own. */
    private static Optional<Hold> first(List<?> reply) {
        List<?> parts = !reply.isEmpty() && reply.get(0) instanceof List<?> pair ? pair : reply;
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(new Hold(Replies.text(parts.get(0)), ServerTime.end(parts.get(1))));
    }

    private CompletionStage<PermitsReading> findExpired(RedisSession session) {
        RedisCall over =
                RedisCall.of("ZRANGEBYSCORE", keys.holders(), "-inf", Long.toString(now), "LIMIT", "0", MOST_DROPPED);
        return session.pipeline(List.of(over)).thenCompose(tokens -> {
            expired = Replies.list(tokens.get(0)).stream().map(Replies::text).toList();
            if (expired.isEmpty()) {
                return CompletableFuture.completedStage(
                        this); // Somebody was faster, and no transaction will get through.
            }
            return session.pipeline(List.of(details(keys, expired))).thenApply(details -> {
                expiredPermits = Replies.list(details.get(0)).stream()
                        .mapToLong(PermitsDetail::permitsIn)
                        .sum();
                return this;
            });
        });
    }

    /** Asks what the state has of these holders. */
    static RedisCall details(PermitKeys keys, List<String> tokens) {
        List<String> arguments = new ArrayList<>(List.of(keys.state()));
        tokens.forEach(token -> arguments.add(PermitKeys.field(token)));
        return new RedisCall("HMGET", arguments);
    }

    long now() {
        return now;
    }

    OptionalInt limit() {
        return count(0);
    }

    /** What the first client said. */
    OptionalInt said() {
        return count(1);
    }

    private OptionalInt count(int field) {
        return Replies.optionalText(state.get(field))
                .map(text -> OptionalInt.of(Integer.parseInt(text)))
                .orElse(OptionalInt.empty());
    }

    /** How many permits are out. */
    long used() {
        if (isEmpty()) {
            return 0;
        }
        return Replies.optionalText(state.get(2))
                .map(text -> text.equals("inf") ? ALL : Long.parseLong(text) - expiredPermits)
                .orElse(ALL);
    }

    long fence() {
        return Replies.optionalText(state.get(3)).map(Long::parseLong).orElse(0L);
    }

    long nextNumber() {
        return Math.max(fence() + GrantRecord.STRIDE, now);
    }

    /** What the state has of the token. */
    Optional<PermitsDetail> detail() {
        return PermitsDetail.read(state.get(4));
    }

    /** When the token's hold ends; empty if it holds nothing. */
    OptionalLong end() {
        return end.isPresent() && end.getAsLong() > now ? end : OptionalLong.empty();
    }

    /** Whether nobody holds anything. */
    boolean isEmpty() {
        return holding() == 0;
    }

    long holding() {
        return holders - expired.size();
    }

    /** The first to expire; empty if its time is over, and the next is not known. */
    Optional<String> firstHolder() {
        return expired.isEmpty() ? first.map(Hold::token) : Optional.empty();
    }

    /** When that is; empty if never. */
    OptionalLong firstRemainingMillis() {
        return expired.isEmpty() && first.isPresent() && first.get().endMicros() != Long.MAX_VALUE
                ? OptionalLong.of(Math.max(0, first.get().endMicros() - now) / 1000)
                : OptionalLong.empty();
    }

    /** Who stands first in line, as it is written there. */
    @Nullable
    Object firstInLine() {
        return firstInLine;
    }

    /** Whether whoever stands first in line could be served, or never will be: in both cases it should ask. */
    boolean isTurnOfFirstInLine(int limit) {
        Optional<QueuePlace> place = Replies.optionalText(firstInLine).flatMap(QueuePlace::read);
        return place.isEmpty()
                || place.get().permits() > limit
                || used() + place.get().permits() <= limit;
    }

    boolean hasExpired() {
        return !expired.isEmpty();
    }

    /** Takes out those whose time is over. Whoever sends this also sets how many permits are out. */
    List<RedisCall> drops() {
        return expired.isEmpty() ? List.of() : drop(keys, expired);
    }

    static List<RedisCall> drop(PermitKeys keys, List<String> tokens) {
        List<String> members = new ArrayList<>(List.of(keys.holders()));
        members.addAll(tokens);
        List<String> fields = new ArrayList<>(List.of(keys.state()));
        tokens.forEach(token -> fields.add(PermitKeys.field(token)));
        return List.of(new RedisCall("ZREM", members), new RedisCall("HDEL", fields));
    }

    /** Keeps the holders for a hold that lasts this long; to be sent after it has been added. */
    Optional<RedisCall> keepHolders(long leaseMillis) {
        if (expiryMillis == -1 && !isEmpty()) {
            return Optional.empty(); // One of them never ends.
        }
        // Even if it lasts long enough: should the key just end, this is a new one.
        long kept = Math.max(isEmpty() ? 0 : expiryMillis, leaseMillis) + 1;
        return Optional.of(RedisCall.of("PEXPIRE", keys.holders(), Long.toString(kept)));
    }

    /** Keeps the state at least for this long. */
    RedisCall keepState(long millis) {
        return RedisCall.of("PEXPIRE", keys.state(), Long.toString(Math.max(stateExpiryMillis, millis)));
    }
}
