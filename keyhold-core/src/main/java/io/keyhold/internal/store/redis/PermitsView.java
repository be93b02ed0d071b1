package io.keyhold.internal.store.redis;

import io.keyhold.internal.store.HoldView;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.LockView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the reply of {@code look_permits.lua}. */
final class PermitsView {

    private static final String NEVER = "inf";

    /** The parts of a holder in the reply: token, end, detail. */
    private static final int PARTS = 3;

    private PermitsView() {}

    static Optional<LockView> read(String key, @Nullable Object reply) {
        if (reply == null) {
            return Optional.empty();
        }
        List<?> parts = Replies.list(reply);
        long now = Replies.number(parts.get(2));
        return Optional.of(new LockView(
                key,
                Optional.of(new LockView.Permits(
                        Math.toIntExact(Replies.number(parts.get(0))), Replies.number(parts.get(1)))),
                holds(Replies.list(parts.get(4)), now),
                Replies.number(parts.get(3)),
                Replies.places(parts.get(5)),
                Replies.number(parts.get(6))));
    }

    private static List<HoldView> holds(List<?> texts, long now) {
        List<HoldView> holds = new ArrayList<>();
        for (int i = 0; i + PARTS <= texts.size(); i += PARTS) {
            String token = Replies.text(texts.get(i));
            String end = Replies.text(texts.get(i + 1));
            String[] detail = Replies.text(texts.get(i + 2)).split(" ", -1);
            // A hold that the state does not know is of any number of permits.
            boolean known = detail.length >= PARTS;
            holds.add(new HoldView(
                    token,
                    known ? Integer.parseInt(detail[0]) : 0,
                    end.equals(NEVER) ? OptionalLong.empty() : OptionalLong.of((Long.parseLong(end) - now) / 1000),
                    known
                            ? Optional.of(new LockValue(token, Long.parseLong(detail[1]), Long.parseLong(detail[2])))
                            : Optional.empty()));
        }
        return holds;
    }
}
