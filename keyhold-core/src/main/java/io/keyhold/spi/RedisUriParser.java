package io.keyhold.spi;

import io.keyhold.spi.RedisUri.Topology;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes a URI apart. {@link URI} does the grammar of all but the hosts. These are read by hand, because {@code URI} knows no
 * host in {@code my_redis:6379}, a name that container networks use, and no list of IPv6 addresses.
 */
final class RedisUriParser {

    private static final int DEFAULT_PORT = 6379;
    private static final int DEFAULT_SENTINEL_PORT = 26379;

    private static final Map<String, Topology> SCHEMES = Map.of(
            "redis", Topology.SINGLE,
            "rediss", Topology.SINGLE,
            "redis-socket", Topology.SINGLE,
            "redis-sentinel", Topology.SENTINEL,
            "rediss-sentinel", Topology.SENTINEL,
            "redis-cluster", Topology.CLUSTER,
            "rediss-cluster", Topology.CLUSTER);
    private static final Set<String> SECRETS =
            Set.of("sentinelPassword", TlsSettings.TRUST_STORE_PASSWORD, TlsSettings.KEY_STORE_PASSWORD);
    private static final List<String> PARAMETERS = List.of(
            "driver",
            "clientName",
            "connectTimeout",
            "commandTimeout",
            "maxConnections",
            "db",
            "master",
            "sentinelUser",
            "sentinelPassword",
            TlsSettings.CA_FILE,
            TlsSettings.CERT_FILE,
            TlsSettings.KEY_FILE,
            TlsSettings.KEY_STORE,
            TlsSettings.KEY_STORE_PASSWORD,
            TlsSettings.TRUST_STORE,
            TlsSettings.TRUST_STORE_PASSWORD,
            "verifyHostname");
    private static final List<String> OF_SENTINELS = List.of("master", "sentinelUser", "sentinelPassword");
    /** What URLDecoder puts where bytes are no text. */
    private static final char REPLACEMENT = '\uFFFD';

    private static final Pattern DIGITS = Pattern.compile("[0-9]*");
    private static final Pattern HOST = Pattern.compile("[\\p{L}\\p{N}._-]+");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]+(%[A-Za-z0-9._~-]+)?");
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

    private final String shown;
    final Topology topology;
    final boolean tls;
    List<RedisAddress> addresses = List.of();

    @Nullable
    Path socket;

    @Nullable
    String user;

    @Nullable
    String password;

    int database;

    Duration connectTimeout = Duration.ofSeconds(2);
    Duration commandTimeout = Duration.ofSeconds(2);
    int maxConnections = 64;
    final TlsSettings tlsSettings;
    private final Map<String, String> parameters = new TreeMap<>();

    RedisUriParser(String text) {
        shown = RedisUriMask.of(text, RedisUriParser::isSecret);
        int start = text.indexOf("://");
        String scheme = start < 0 ? "" : text.substring(0, start).replaceFirst("^valkey", "redis");
        Topology named = SCHEMES.get(scheme);
        if (named == null) {
            throw bad("must start with redis://, rediss://, redis-sentinel://, rediss-sentinel://, redis-cluster://, "
                    + "rediss-cluster:// or redis-socket://, or with valkey in place of redis");
        }
        topology = named;
        tls = scheme.startsWith("rediss");
        int end = endOfAuthority(text, start + 3);
        if (text.indexOf('#') >= 0 || text.indexOf('@', end) >= 0) {
            // What follows may be the rest of a password; nothing of it may get into a message.
            throw bad("has an @ or # in a place where it must be percent-encoded, as / and ? must be in a password");
        }
        if (text.indexOf('@') != text.lastIndexOf('@')) {
            throw bad(
                    "has more than one @; write the credentials once, before the first host, and an @ in them as %40");
        }
        int hosts = text.lastIndexOf('@') < 0 ? start + 3 : text.lastIndexOf('@') + 1;
        boolean socketPath = scheme.equals("redis-socket");
        URI uri = syntax(socketPath ? text : text.substring(0, hosts) + "host" + text.substring(end));
        credentials(text.substring(start + 3, Math.max(start + 3, hosts - 1)));
        String path = uri.getPath() == null ? "" : uri.getPath();
        if (socketPath) {
            if (path.length() < 2) {
                throw bad("names no socket; write redis-socket:///path/to/redis.sock");
            }
            socket = Path.of(path);
        } else {
            addresses = addresses(text.substring(hosts, end));
            String number = path.startsWith("/") ? path.substring(1) : path;
            database = number.isEmpty() ? 0 : wholeNumber("database", number, 0, Integer.MAX_VALUE);
        }
        if (uri.getRawQuery() != null) {
            parameters(uri.getRawQuery());
        }
        Map<String, String> ofTls = new TreeMap<>(parameters);
        ofTls.keySet().retainAll(TlsSettings.PARAMETERS);
        tlsSettings = new TlsSettings(ofTls, !"false".equals(parameters.get("verifyHostname")));
        checkTls(ofTls.keySet());
        checkTopology();
    }

    /** Describes one address of a topology. */
    private RedisUriParser(RedisUriParser all, RedisAddress address) {
        shown = all.shown;
        topology = Topology.SINGLE;
        tls = all.tls;
        addresses = List.of(address);
        parameters.putAll(all.parameters);
        parameters.keySet().removeAll(OF_SENTINELS);
        connectTimeout = all.connectTimeout;
        commandTimeout = all.commandTimeout;
        maxConnections = all.maxConnections;
        tlsSettings = all.tlsSettings;
    }

    RedisUriParser server(RedisAddress address) {
        RedisUriParser server = new RedisUriParser(this, address);
        server.user = user;
        server.password = password;
        server.database = database;
        return server;
    }

    RedisUriParser sentinel(RedisAddress address) {
        RedisUriParser sentinel = new RedisUriParser(this, address);
        sentinel.user = parameters.get("sentinelUser");
        sentinel.password = parameters.get("sentinelPassword");
        return sentinel;
    }

    /** Returns the value of a parameter that is text, or null if the URI does not have it. */
    @Nullable
    String text(String parameter) {
        return parameters.get(parameter);
    }

    private static boolean isSecret(String parameter) {
        return SECRETS.contains(parameter) || !PARAMETERS.contains(parameter);
    }

    static int endOfAuthority(String text, int start) {
        int end = start;
        while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private URI syntax(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            // The exception's own message repeats the whole input, password included.
            throw bad("is not a URI (" + e.getReason() + "; special characters in a password must be percent-encoded)");
        }
    }

    private void checkTls(Set<String> names) {
        String encrypted = switch (topology) {
            case SINGLE -> "rediss://";
            case SENTINEL -> "rediss-sentinel://";
            case CLUSTER -> "rediss-cluster://";
        };
        if (!tls && !names.isEmpty()) {
            throw bad("has " + String.join(", ", names) + ", but only " + encrypted + " uses TLS");
        }
        tlsSettings.contradiction().ifPresent(rule -> {
            throw bad(rule);
        });
    }

    private void checkTopology() {
        if (topology == Topology.SINGLE && addresses.size() > 1) {
            String prefix = tls ? "rediss" : "redis";
            throw bad("names several hosts; write " + prefix + "-cluster:// for a cluster, " + prefix
                    + "-sentinel:// for sentinels, or one URI for each server of a quorum");
        }
        if (topology == Topology.CLUSTER && database != 0) {
            throw bad("has database " + database + ", but a cluster has only database 0");
        }
        if (topology == Topology.SENTINEL && text("master") == null) {
            throw bad("names no master; add ?master= with the name under which the sentinels monitor it");
        }
        if (topology != Topology.SENTINEL && OF_SENTINELS.stream().anyMatch(parameters::containsKey)) {
            throw bad("has a parameter for sentinels, but only redis-sentinel:// and rediss-sentinel:// use master, "
                    + "sentinelUser and sentinelPassword");
        }
        if (text("sentinelUser") != null && text("sentinelPassword") == null) {
            throw bad("has a sentinelUser without a sentinelPassword");
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

    private List<RedisAddress> addresses(String text) {
        Set<RedisAddress> found = new LinkedHashSet<>();
        for (String each : text.split(",", -1)) {
            RedisAddress address = address(each);
            if (!found.add(address)) {
                throw bad("names " + address + " twice");
            }
        }
        return List.copyOf(found);
    }

    private RedisAddress address(String text) {
        int bracket = text.startsWith("[") ? text.indexOf(']') : -1;
        int colon = text.indexOf(':', bracket + 1);
        String name = colon < 0 ? text : text.substring(0, colon);
        if (name.isEmpty() && text.lastIndexOf(':') <= 0) {
            throw bad("names no host");
        }
        if (bracket < 0 && colon != text.lastIndexOf(':')) {
            throw bad("has an IPv6 address without brackets; write [::1]:6379");
        }
        int port = topology == Topology.SENTINEL ? DEFAULT_SENTINEL_PORT : DEFAULT_PORT;
        if (colon >= 0) {
            String number = text.substring(colon + 1);
            if (!DIGITS.matcher(number).matches()) {
                // Not named: it may be a password without the @ and the host behind it.
                throw bad(
                        "has a port that is not a number; write redis://host:6379, or redis://user:password@host:6379");
            }
            port = wholeNumber("port", number, 1, 65535);
        }
        String host = bracket < 0 ? name : name.substring(1, bracket).replace("%25", "%");
        if (bracket < 0
                ? !HOST.matcher(host).matches()
                : bracket != name.length() - 1 || !IPV6.matcher(host).matches()) {
            throw bad("has host '" + name + "'; it must be a name, an IPv4 address, or an IPv6 address in brackets");
        }
        return new RedisAddress(host, port);
    }

    private void parameters(String query) {
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            if (equals <= 0) {
                // Not named: it may be the rest of a password.
                throw bad("has a part in its parameters that is not name=value");
            }
            String name = part.substring(0, equals);
            if (parameters.containsKey(name)) {
                throw bad("has the parameter '" + name + "' twice");
            }
            if (part.indexOf('=', equals + 1) >= 0 && !SECRETS.contains(name)) {
                throw bad("has an = in the value of '" + name + "', which must be percent-encoded");
            }
            parameter(name, decoded(part.substring(equals + 1)));
        }
    }

    private void parameter(String name, String value) {
        if (value.isEmpty()) {
            throw bad("has a parameter without a value: '" + name + "'");
        }
        if (!PARAMETERS.contains(name)) {
            int last = PARAMETERS.size() - 1;
            throw bad("has an unknown parameter '" + name + "'; known are "
                    + String.join(", ", PARAMETERS.subList(0, last)) + " and " + PARAMETERS.get(last));
        }
        parameters.put(name, value);
        switch (name) {
            case "connectTimeout" -> connectTimeout = timeout(name, value);
            case "commandTimeout" -> commandTimeout = timeout(name, value);
            case "maxConnections" -> maxConnections = wholeNumber(name, value, 1, 10_000);
            case "db" -> database = wholeNumber("database", value, 0, Integer.MAX_VALUE);
            case "verifyHostname" -> {
                if (!value.equals("true") && !value.equals("false")) {
                    throw bad("has verifyHostname=" + value + "; it must be true or false");
                }
            }
            default -> {} // Text.
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

    private String decoded(String text) {
        // URLDecoder reads + as a space, which in user info it is not.
        String decoded = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        if (decoded.indexOf(REPLACEMENT) >= 0) { // A wrong password would be sent, and refused without a reason.
            throw bad("has percent-encoded bytes that are not UTF-8");
        }
        return decoded;
    }

    private IllegalArgumentException bad(String rule) {
        return new IllegalArgumentException("Redis URI '" + shown + "' " + rule);
    }
}
