package io.keyhold.internal.store.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what the server says of time. */
final class ServerTime {

    private static final String NEVER = "inf";

    private ServerTime() {}

    /** The reply of TIME, in microseconds. */
    static long micros(@Nullable Object reply) {
        List<?> parts = Replies.list(reply);
        return Long.parseLong(Replies.text(parts.get(0))) * 1_000_000 + Long.parseLong(Replies.text(parts.get(1)));
    }

    /** The end of a hold of permits, which is its score in a sorted set, in microseconds; {@link Long#MAX_VALUE} if never. */
    static long end(@Nullable Object score) {
        String text = Replies.text(score);
        // A driver that speaks RESP3 gets floating point, which holds microseconds exactly for some 200 years more.
        return text.equals(NEVER) ? Long.MAX_VALUE : (long) Double.parseDouble(text);
    }
}
