package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdBuilder;
import io.keyhold.QuorumOptions;
import io.keyhold.doctor.Diagnosis;
import io.keyhold.doctor.Doctor;
import io.keyhold.doctor.DoctorOptions;
import io.keyhold.doctor.DoctorTarget;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The servers that options or the environment name, and clients of them.
 *
 * @param servers their URIs: one, or those of the nodes of a quorum
 * @param quorum the options of the quorum, if they are one
 * @param isLocal whether this is the private Redis server, because no other was named
 */
record Connection(List<RedisUri> servers, QuorumOptions quorum, boolean isLocal) {

    /** Separates URIs: a comma in front of a scheme. Other commas are part of a URI, between its hosts. */
    static final String SEPARATOR = "[,\\s]*,\\s*(?=[A-Za-z][A-Za-z0-9+.-]*://)";

    private static final String VARIABLE = "KEYHOLD_REDIS";

    /** Returns these servers, else those of the environment; none means the private Redis server. */
    static List<RedisUri> named(List<String> given, boolean onlyLocal, Map<String, String> tls) {
        List<String> uris = given.isEmpty() && !onlyLocal ? environment() : given;
        CliException.refuse(
                uris.isEmpty() && !tls.isEmpty(),
                "--cacert, --cert and --cert-key need a server with TLS, such as --redis rediss://host:6379");
        List<RedisUri> servers = new ArrayList<>();
        for (String uri : uris) {
            servers.add(RedisUri.parse(withFiles(uri.strip(), tls)));
        }
        if (servers.size() > 1) {
            servers.forEach(RedisUri::requireSingleServer);
        }
        return servers;
    }

    /** Returns a connection to the private Redis server; says so if that may not be intended. */
    static Connection toPrivateServer(boolean intended) {
        Connection connection =
                new Connection(List.of(LocalRedis.ensureRunning(intended)), QuorumOptions.defaults(), true);
        if (!intended) {
            Diagnostics.print(
                    "no server is named, so locks hold on this machine and for this user only; name one for all"
                            + " machines with --redis or " + VARIABLE + ", or say --local");
        }
        return connection;
    }

    /** Returns the URI with the files for TLS, by the names of their parameters. */
    static String withFiles(String uri, Map<String, String> tls) {
        StringBuilder parameters = new StringBuilder(uri);
        for (Map.Entry<String, String> file : tls.entrySet()) {
            parameters
                    .append(parameters.indexOf("?") < 0 ? '?' : '&')
                    .append(file.getKey())
                    .append('=')
                    .append(URLEncoder.encode(file.getValue(), UTF_8).replace("+", "%20"));
        }
        return parameters.toString();
    }

    /** A variable that is set but empty is a mistake in a script: its locks would silently be local. */
    private static List<String> environment() {
        String value = System.getenv(VARIABLE);
        List<String> uris = uris(value);
        CliException.refuse(
                value != null && uris.isEmpty(),
                VARIABLE + " must be a URI, was '" + value
                        + "'; unset it or say --local for the private Redis server of this machine");
        return uris;
    }

    /** Returns the URIs in the value of the environment variable, which may have commas to spare. */
    static List<String> uris(@Nullable String value) {
        String text = value == null ? "" : value.replaceAll("^[,\\s]+|[,\\s]+$", "");
        return text.isEmpty() ? List.of() : List.of(text.split(SEPARATOR, -1));
    }

    /** What the only URI names; the nodes of a quorum are single servers. */
    RedisUri.Topology topology() {
        return servers.get(0).topology();
    }

    /** Returns a client with this name. It connects on first use. */
    Keyhold client(String label) {
        KeyholdBuilder builder = Keyhold.builder().clientName(label);
        if (servers.size() > 1) {
            List<RedisDriver> drivers =
                    servers.stream().map(uri -> driver(uri, label)).toList();
            return builder.quorumOfDrivers(drivers, quorum).build();
        }
        Optional<RedisDriver> single = singleServer(label);
        // The driver is passed explicitly, because a search on the class path takes time.
        return (single.isPresent()
                        ? builder.driver(single.get())
                        : builder.uri(servers.get(0).withClientName(label)))
                .build();
    }

    /** Returns a driver with this name; empty if there are several servers, or if sentinels or a cluster name them. */
    Optional<RedisDriver> singleServer(String label) {
        boolean single = servers.size() == 1 && topology() == RedisUri.Topology.SINGLE;
        return single ? Optional.of(driver(servers.get(0), label)) : Optional.empty();
    }

    /** Lets the doctor examine the servers. */
    Diagnosis examine(DoctorOptions options) {
        return Doctor.examine(
                new DoctorTarget(servers, isLocal, JedisDriver::open, () -> client(Doctor.CLIENT)), options);
    }

    private static RedisDriver driver(RedisUri uri, String label) {
        return JedisDriver.open(uri.withClientName(label));
    }
}
