package io.keyhold.spi;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes a URI apart. {@link URI} does the grammar; the authority is split by hand, because {@code URI} knows no host in
 * {@code my_redis:6379}, a name that container networks use.
 */
final class RedisUriParser {

    static final int DEFAULT_PORT = 6379;
    static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);
    static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(2);
    static final int DEFAULT_MAX_CONNECTIONS = 64;

    private static final Set<String> SCHEMES = Set.of("redis", "rediss", "redis-socket");
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

    private final String shown;
    final boolean tls;
    String host = "";
    int port;

    @Nullable
    Path socket;

    @Nullable
    String user;

    @Nullable
    String password;

    int database;

    @Nullable
    String driver;

    @Nullable
    String clientName;

    Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
    Duration commandTimeout = DEFAULT_COMMAND_TIMEOUT;
    int maxConnections = DEFAULT_MAX_CONNECTIONS;

    @Nullable
    Path trustStore;

    @Nullable
    String trustStorePassword;

    boolean verifyHostname = true;

    RedisUriParser(String text) {
        shown = masked(text);
        URI uri = syntax(text);
        String scheme = uri.getScheme();
        if (scheme == null || !SCHEMES.contains(scheme)) {
            throw bad("must start with redis://, rediss:// or redis-socket://");
        }
        tls = scheme.equals("rediss");
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        if (uri.getRawFragment() != null || text.lastIndexOf('@') > text.indexOf(authority) + authority.length()) {
            // What follows may be the rest of a password; nothing of it may get into a message.
            throw bad("has an @ or # in a place where it must be percent-encoded, as / and ? must be in a password");
        }
        int at = authority.lastIndexOf('@');
        credentials(at < 0 ? "" : authority.substring(0, at));
        String path = uri.getPath() == null ? "" : uri.getPath();
        if (scheme.equals("redis-socket")) {
            if (path.length() < 2) {
                throw bad("names no socket; write redis-socket:///path/to/redis.sock");
            }
            socket = Path.of(path);
        } else {
            hostAndPort(authority.substring(at + 1));
            String number = path.startsWith("/") ? path.substring(1) : path;
            database = number.isEmpty() ? 0 : wholeNumber("database", number, 0, Integer.MAX_VALUE);
        }
        if (uri.getRawQuery() != null) {
            for (String parameter : uri.getRawQuery().split("&", -1)) {
                parameter(parameter);
            }
        }
        if (!tls && (trustStore != null || trustStorePassword != null)) {
            throw bad("has a trust store, but only rediss:// uses one");
        }
    }

    private URI syntax(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            // The exception's own message repeats the whole input, password included.
            throw bad("is not a URI (" + e.getReason() + "; special characters in a password must be percent-encoded)");
        }
    }

    private void credentials(String userInfo) {
        if (userInfo.isEmpty()) {
            return;
        }
        int colon = userInfo.indexOf(':');
        String name = decoded(colon < 0 ? userInfo : userInfo.substring(0, colon));
        if (!name.isEmpty()) {
            user = name;
        }
        if (colon < 0) {
            throw bad("names a user without a password; write user:password@ or :password@");
        }
        password = decoded(userInfo.substring(colon + 1));
    }

    private void hostAndPort(String text) {
        int bracket = text.lastIndexOf(']');
        int colon = text.indexOf(':', Math.max(bracket, 0));
        host = colon < 0 ? text : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.isEmpty()) {
            throw bad("names no host");
        }
        port = colon < 0 ? DEFAULT_PORT : wholeNumber("port", text.substring(colon + 1), 1, 65535);
    }

    private void parameter(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        String value = equals < 0 ? "" : decoded(text.substring(equals + 1));
        if (value.isEmpty()) {
            throw bad("has a parameter without a value: '" + name + "'");
        }
        switch (name) {
            case "driver" -> driver = value;
            case "clientName" -> clientName = value;
            case "connectTimeout" -> connectTimeout = timeout(name, value);
            case "commandTimeout" -> commandTimeout = timeout(name, value);
            case "maxConnections" -> maxConnections = wholeNumber(name, value, 1, 10_000);
            case "db" -> database = wholeNumber("database", value, 0, Integer.MAX_VALUE);
            case "trustStore" -> trustStore = Path.of(value);
            case "trustStorePassword" -> trustStorePassword = value;
            case "verifyHostname" -> verifyHostname = truth(name, value);
            default ->
                throw bad("has an unknown parameter '" + name + "'; known are driver, clientName, connectTimeout, "
                        + "commandTimeout, maxConnections, db, trustStore, trustStorePassword and verifyHostname");
        }
    }

    private Duration timeout(String name, String value) {
        Duration duration;
        try {
            duration = value.endsWith("ms")
                    ? Duration.ofMillis(Long.parseLong(value.substring(0, value.length() - 2)))
                    : value.endsWith("s")
                            ? Duration.ofSeconds(Long.parseLong(value.substring(0, value.length() - 1)))
                            : Duration.parse(value);
        } catch (RuntimeException e) {
            throw bad("has " + name + "=" + value + ", which is not a duration such as 500ms, 2s or PT2S");
        }
        if (duration.compareTo(SHORTEST_TIMEOUT) < 0 || duration.compareTo(LONGEST_TIMEOUT) > 0) {
            throw bad("has " + name + "=" + value + "; it must be from 1ms to 1 hour");
        }
        return duration;
    }

    private boolean truth(String name, String value) {
        if (value.equals("true") || value.equals("false")) {
            return value.equals("true");
        }
        throw bad("has " + name + "=" + value + "; it must be true or false");
    }

    private int wholeNumber(String name, String value, int least, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, like a number out of range.
        }
        throw bad("has " + name + " '" + value + "'; it must be a whole number from " + least + " to " + most);
    }

    private static String decoded(String text) {
        // URLDecoder reads + as a space, which in user info it is not.
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private IllegalArgumentException bad(String rule) {
        return new IllegalArgumentException("Redis URI '" + shown + "' " + rule);
    }

    /** Everything between the scheme and the last @ may be a password, however badly the rest is written. */
    private static String masked(String text) {
        int start = text.indexOf("://") < 0 ? 0 : text.indexOf("://") + 3;
        int at = text.lastIndexOf('@');
        String hidden = at < start ? text : text.substring(0, start) + "***" + text.substring(at);
        return hidden.replaceAll("(?i)(password=)[^&]*", "$1***");
    }
}
