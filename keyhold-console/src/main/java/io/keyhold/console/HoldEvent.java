package io.keyhold.console;

import io.keyhold.console.internal.JsonText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The end of a hold, as a client reports it in the event stream.
 *
 * @param key the key
 * @param token the holder's token
 * @param fencingToken the fencing token of the hold
 * @param at when it was granted, in milliseconds since 1970
 * @param waited how long the request waited, in milliseconds
 * @param held how long it was held, in milliseconds
 * @param end how it ended: released, lost or handedOff
 */
record HoldEvent(String key, String token, long fencingToken, long at, long waited, long held, String end) {

    private static final int LONGEST_END = 20;

    String text() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("k", key);
        fields.put("t", token);
        fields.put("f", fencingToken);
        fields.put("a", at);
        fields.put("w", waited);
        fields.put("h", held);
        fields.put("e", end);
        return JsonText.of(fields);
    }

    /** Returns the event; empty if the text is not one, for the stream may have been written by another program. */
    static Optional<HoldEvent> read(String text) {
        try {
            Map<String, @Nullable Object> fields = JsonText.readObject(text);
            if (fields.get("k") instanceof String key
                    && fields.get("t") instanceof String token
                    && fields.get("f") instanceof Long fencing
                    && fields.get("a") instanceof Long at
                    && fields.get("w") instanceof Long waited
                    && fields.get("h") instanceof Long held
                    && fields.get("e") instanceof String end
                    && end.length() <= LONGEST_END) {
                return Optional.of(new HoldEvent(key, token, fencing, at, waited, held, end));
            }
        } catch (IllegalArgumentException e) {
            // Not an event.
        }
        return Optional.empty();
    }

    static String endOf(Enum<?> end) {
        String name = end.name().toLowerCase(Locale.ROOT);
        return name.equals("handed_off") ? "handedOff" : name;
    }
}
