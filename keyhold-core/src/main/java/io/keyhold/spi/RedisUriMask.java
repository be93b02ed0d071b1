package io.keyhold.spi;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Shows a URI in a message without what may be a password in it, however badly the URI is written. */
final class RedisUriMask {

    private static final String HIDDEN = "***";
    /** What may stand behind a colon in a list of hosts: a port, or the rest of an IPv6 address without its brackets. */
    private static final Pattern BEHIND_COLON = Pattern.compile("[0-9]*|[0-9A-Fa-f.]*:[0-9A-Fa-f.:]*");

    private RedisUriMask() {}

    /**
     * Hides the credentials, also where the {@code @} and the host behind them are missing, the values of parameters that are secret, and
     * everything if an {@code @} or {@code #} stands where it may be part of a password.
     *
     * @param secret whether the parameter of this name is secret; one with an unknown name may be a password, misspelt
     */
    static String of(String text, Predicate<String> secret) {
        int start = text.indexOf("://") < 0 ? 0 : text.indexOf("://") + 3;
        int end = RedisUriParser.endOfAuthority(text, start);
        if (text.indexOf('@', end) >= 0 || text.indexOf('#') >= 0) {
            return text.substring(0, start) + HIDDEN;
        }
        int at = text.lastIndexOf('@');
        String shown = at < start ? hosts(text, start, end) : text.substring(0, start) + HIDDEN + text.substring(at);
        int query = shown.indexOf('?');
        return query < 0 ? shown : shown.substring(0, query) + "?" + parameters(shown.substring(query + 1), secret);
    }

    private static String hosts(String text, int start, int end) {
        String hosts = Stream.of(text.substring(start, end).split(",", -1))
                .map(RedisUriMask::host)
                .collect(Collectors.joining(","));
        return text.substring(0, start) + hosts + text.substring(end);
    }

    private static String host(String text) {
        int colon = text.indexOf(':', text.startsWith("[") ? text.indexOf(']') + 1 : 0);
        return colon < 0 || BEHIND_COLON.matcher(text.substring(colon + 1)).matches()
                ? text
                : text.substring(0, colon + 1) + HIDDEN;
    }

    private static String parameters(String query, Predicate<String> secret) {
        StringBuilder shown = new StringBuilder();
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? "" : part.substring(0, equals + 1);
            // A second = is the beginning of another parameter, if a & was forgotten.
            boolean hidden = equals < 0 || part.indexOf('=', equals + 1) >= 0 || secret.test(part.substring(0, equals));
            shown.append(shown.length() == 0 ? "" : "&").append(hidden ? name + HIDDEN : part);
        }
        return shown.toString();
    }
}
