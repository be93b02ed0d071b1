package io.keyhold.jedis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * From Jedis's raw replies to those of the driver port. An application's client may speak RESP3 (Jedis 8 does unless
 * told otherwise); its maps, doubles and booleans are given as RESP2 would give them.
 */
final class Replies {

    private Replies() {}

    /** The reply as text, number, list or null. Throws the first error in it. */
    static @Nullable Object decoded(@Nullable Object raw) {
        if (raw instanceof byte[] text) {
            return new String(text, UTF_8);
        } else if (raw instanceof List<?> list) {
            return list(list);
        } else if (raw instanceof JedisDataException error) {
            throw error;
        } else if (raw instanceof Boolean truth) {
            return truth ? 1L : 0L;
        } else if (raw instanceof Double number) {
            return text(number);
        } else {
            return raw == null || raw instanceof Long ? raw : raw.toString();
        }
    }

    static List<@Nullable Object> list(List<?> raw) {
        List<@Nullable Object> decoded = new ArrayList<>(raw.size());
        for (Object element : raw) {
            if (element instanceof Map.Entry<?, ?> entry) {
                decoded.add(decoded(entry.getKey()));
                decoded.add(decoded(entry.getValue()));
            } else {
                decoded.add(decoded(element));
            }
        }
        return decoded;
    }

    private static String text(double number) {
        // Redis writes whole numbers without a fraction, and infinities in lower case.
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number).replace("Infinity", "inf");
    }
}
