package io.keyhold.spi;

import java.util.function.Predicate;

/** Shows a URI in a message without what may be a password in it, however badly the URI is written. */
final class RedisUriMask {

    private static final String HIDDEN = "***";

    private RedisUriMask() {}

    /**
     * Hides the credentials, the values of parameters that are secret, and everything if an {@code @} or {@code #} stands where
     * it may be part of a password.
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
        String shown = at < start ? text : text.substring(0, start) + HIDDEN + text.substring(at);
        int query = shown.indexOf('?');
        return query < 0 ? shown : shown.substring(0, query) + "?" + parameters(shown.substring(query + 1), secret);
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
