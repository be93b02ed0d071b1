package io.keyhold.console;

import io.keyhold.inspect.LockHolder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A hold in the history of a key. Changes while it is open. */
final class Hold {

    /** What an entry takes without its text, roughly. */
    private static final int BYTES = 250;

    private final String token;
    private final long fencingToken;
    private final Origin origin;
    private final long from;
    private long to = -1;
    private long waited = -1;
    private String end = "held";
    private boolean fromEvent;
    /** By the last sample in which it was open. */
    private long seenAt;

    private long remaining = -1;
    private long longestRemaining = -1;

    private Hold(Origin origin, String token, long fencingToken, long from) {
        this.token = token;
        this.fencingToken = fencingToken;
        this.origin = origin;
        this.from = from;
    }

    private record Origin(
            @Nullable String clientName,
            @Nullable String host,
            @Nullable Long processId) {

        /** Reads the form {@code client@host:pid:random.counter}. */
        static Origin of(String token) {
            int at = token.indexOf('@');
            String[] parts = token.substring(at + 1).split(":", -1);
            if (at <= 0 || parts.length != 3 || !parts[1].matches("\\d{1,10}")) {
                return new Origin(null, null, null);
            }
            return new Origin(token.substring(0, at), parts[0], Long.valueOf(parts[1]));
        }
    }

    static Hold sampled(LockHolder holder, long at) {
        Origin origin = new Origin(
                holder.clientName().orElse(null),
                holder.host().orElse(null),
                holder.processId().isPresent() ? holder.processId().getAsLong() : null);
        // By the server's clock, which may be ahead of this one.
        long from =
                Math.min(holder.heldSince().map(since -> since.toEpochMilli()).orElse(at), at);
        return new Hold(origin, holder.token(), holder.fencingToken().orElse(0), from);
    }

    static Hold reported(HoldEvent event) {
        Hold hold = new Hold(Origin.of(event.token()), event.token(), event.fencingToken(), event.at());
        hold.report(event);
        return hold;
    }

    /** Takes over what the client reports, which is more exact than samples. */
    void report(HoldEvent event) {
        fromEvent = true;
        waited = event.waited();
        to = Math.max(from, event.at() + event.held());
        if (!end.equals(End.FORCED)) {
            end = event.end();
        }
    }

    /** Updates what a sample shows of a hold. What its client has reported is more exact. */
    void see(LockHolder holder, long at) {
        if (fromEvent) {
            return;
        }
        to = -1;
        end = "held";
        seenAt = at;
        remaining = holder.remaining().map(left -> left.toMillis()).orElse(-1L);
        longestRemaining = Math.max(longestRemaining, remaining);
    }

    void waited(long millis) {
        waited = Math.max(0, millis);
    }

    void close(long at, String how) {
        to = Math.max(from, at);
        end = how;
    }

    /** The ends that samples can tell. */
    static final class End {
        static final String RELEASED = "released";
        static final String EXPIRED = "expired";
        static final String FORCED = "forced";
        static final String HANDED_OVER = "handedOver";
        static final String UNKNOWN = "unknown";

        private End() {}
    }

    /**
     * Judges an end from the last sample that showed the hold. A hold whose remaining time was longer than the pause until the next sample did not
     * expire. If it was shorter, the hold expired; unless its lease is so short that this is true of every sample.
     */
    String judge(long at, boolean handedOver) {
        long pause = at - seenAt;
        if (remaining >= 0 && remaining <= pause) {
            return longestRemaining > 3 * pause ? End.EXPIRED : End.UNKNOWN;
        }
        return handedOver ? End.HANDED_OVER : End.RELEASED;
    }

    boolean isOpen() {
        return to < 0;
    }

    boolean is(String token, long fencingToken) {
        return this.token.equals(token) && this.fencingToken == fencingToken;
    }

    String token() {
        return token;
    }

    long from() {
        return from;
    }

    long seenAt() {
        return seenAt;
    }

    long heldMillis(long now) {
        return Math.max(0, (isOpen() ? now : to) - from);
    }

    boolean fromEvent() {
        return fromEvent;
    }

    /** Returns the longest time that was left in any sample, which is close to the lease. */
    OptionalLong lease() {
        return longestRemaining < 0 ? OptionalLong.empty() : OptionalLong.of(longestRemaining);
    }

    long bytes() {
        return BYTES + 2L * token.length();
    }

    Map<String, @Nullable Object> json(long now) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("clientName", origin.clientName);
        object.put("host", origin.host);
        object.put("pid", origin.processId);
        object.put("token", token);
        object.put("fencingToken", fencingToken == 0 ? null : fencingToken);
        object.put("from", from);
        object.put("to", isOpen() ? null : to);
        object.put("waitedMillis", waited < 0 ? null : waited);
        object.put("heldMillis", heldMillis(now));
        object.put("end", end);
        object.put("source", fromEvent ? "event" : "sample");
        return object;
    }
}
