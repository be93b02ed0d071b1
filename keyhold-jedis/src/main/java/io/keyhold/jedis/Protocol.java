package io.keyhold.jedis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;

/** Translates between the driver port and Jedis's raw commands and replies. */
final class Protocol {

    private Protocol() {}

    static CommandArguments encode(RedisCall call) {
        CommandArguments arguments = new CommandArguments(() -> call.command().getBytes(UTF_8));
        for (String argument : call.arguments()) {
            arguments.add(argument.getBytes(UTF_8));
        }
        return arguments;
    }

    /**
     * Returns the reply as text, number, list or null, and throws the first error in it. An application's client may speak
     * RESP3 (Jedis 8 does by default); its maps, doubles and booleans are returned as RESP2 would return them.
     */
    static @Nullable Object decode(@Nullable Object raw) {
        if (raw instanceof byte[] text) {
            return new String(text, UTF_8);
        } else if (raw instanceof List<?> list) {
            return decodeList(list);
        } else if (raw instanceof JedisDataException error) {
            throw error(error);
        } else if (raw instanceof Boolean truth) {
            return truth ? 1L : 0L;
        } else if (raw instanceof Double number) {
            return text(number);
        } else {
            return raw == null || raw instanceof Long ? raw : raw.toString();
        }
    }

    private static List<@Nullable Object> decodeList(List<?> raw) {
        List<@Nullable Object> decoded = new ArrayList<>(raw.size());
        for (Object element : raw) {
            if (element instanceof Map.Entry<?, ?> entry) {
                decoded.add(decode(entry.getKey()));
                decoded.add(decode(entry.getValue()));
            } else {
                decoded.add(decode(element));
            }
        }
        return decoded;
    }

    /** Redis writes whole numbers without a fraction, and infinities in lower case. */
    private static String text(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number).replace("Infinity", "inf");
    }

    /** Returns the error in the server's words. Jedis widens each byte of an error line to a char of its own. */
    static RedisErrorException error(JedisDataException reply) {
        String widened = String.valueOf(reply.getMessage());
        byte[] bytes = new byte[widened.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) widened.charAt(i);
        }
        return new RedisErrorException(new String(bytes, UTF_8));
    }
}
