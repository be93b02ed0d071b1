package io.keyhold.internal.store.redis;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.Snapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the reply of {@code look_permits.lua}. */
final class PermitsReply {

    private static final String NEVER = "inf";

    /** The parts of a holder in the reply: token, end, detail. */
    private static final int PARTS = 3;

    private PermitsReply() {}

    static Optional<LockSnapshot> read(String key, @Nullable Object reply) {
        if (reply == null) {
            return Optional.empty();
        }
        List<?> parts = Replies.list(reply);
        int limit = Math.toIntExact(Replies.number(parts.get(0)));
        long now = Replies.number(parts.get(2));
        return Optional.of(Snapshots.ofPermits(
                key,
                limit,
                Replies.number(parts.get(1)),
                holders(Snapshots.kind(limit), Replies.list(parts.get(4)), now),
                Replies.number(parts.get(3)),
                Replies.places(parts.get(5)),
                Replies.number(parts.get(6))));
    }

    private static List<LockHolder> holders(LockKind kind, List<?> texts, long now) {
        List<LockHolder> holders = new ArrayList<>();
        for (int i = 0; i + PARTS <= texts.size(); i += PARTS) {
            String token = Replies.text(texts.get(i));
            String end = Replies.text(texts.get(i + 1));
            String[] detail = Replies.text(texts.get(i + 2)).split(" ", -1);
            // A hold that the state does not know is of any number of permits.
            boolean known = detail.length >= PARTS;
            holders.add(Snapshots.holder(
                    kind,
                    token,
                    known ? Integer.parseInt(detail[0]) : 0,
                    end.equals(NEVER) ? OptionalLong.empty() : OptionalLong.of((Long.parseLong(end) - now) / 1000),
                    known
                            ? Optional.of(new LockValue(token, Long.parseLong(detail[1]), Long.parseLong(detail[2])))
                            : Optional.empty()));
        }
        return holders;
    }
}
