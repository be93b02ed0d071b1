package io.keyhold.cli;

import io.keyhold.QuorumOptions;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/** The options that name the server. */
final class ServerOptions {

    private static final String QUORUM_ONLY = " applies only to a quorum: name several servers";

    private final Argument<List<String>> redis;
    private final Argument<String> cacert;
    private final Argument<String> cert;
    private final Argument<String> certKey;
    private final Argument<Boolean> local;
    private final @Nullable Argument<Boolean> admitFreshNodes;
    private final @Nullable Argument<Duration> longestLease;

    /** Adds them to a command; with those for a quorum, if its result depends on which nodes vote. */
    ServerOptions(CliCommand command, boolean votes) {
        redis = command.add(OptionSpec.builder("--redis")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .splitRegex(Connection.SEPARATOR)
                .paramLabel("URI")
                .description(
                        "The server, such as redis://localhost:6379, redis-sentinel://s1:26379,s2:26379/0?master=name or"
                                + " redis-cluster://a:7000,b:7000. Several URIs (the option repeated, or separated by commas)"
                                + " form a quorum. Default: the environment variable KEYHOLD_REDIS, else a private Redis server,"
                                + " started on first use, for this user on this machine only."));
        cacert = command.text(
                "--cacert",
                "FILE",
                "TLS only: a PEM file with the certificates of the authorities to trust. Default: Java's.");
        cert = command.text(
                "--cert", "FILE", "TLS only: a PEM file with the client's certificate, if the server demands one.");
        certKey = command.text("--cert-key", "FILE", "TLS only: a PEM file with the private key of --cert.");
        local = command.flag(
                "--local",
                "Use the private Redis server of this machine, for this user only, without the notice that says so.");
        admitFreshNodes = !votes
                ? null
                : command.flag(
                        "--admit-fresh-nodes",
                        "Quorum only: new servers vote immediately. Use it only if the servers are known to be new: a server that"
                                + " lost its data looks the same. Default: they vote after --longest-lease.");
        longestLease = !votes
                ? null
                : command.duration(
                        "--longest-lease",
                        "Quorum only: the upper bound of every lease; a restarted server does not vote for this long. Must be the"
                                + " same for all clients. Default: 1m.");
    }

    /** Returns the connection to the server that these options or the environment name. */
    Connection connection() {
        CliException.refuse(local.isGiven() && redis.isGiven(), "--local and --redis exclude each other");
        Map<String, String> tls = new LinkedHashMap<>();
        put(tls, "caFile", cacert);
        put(tls, "certFile", cert);
        put(tls, "keyFile", certKey);
        List<RedisUri> servers = Connection.named(redis.orElse(List.of()), local.isGiven(), tls);
        QuorumOptions quorum = quorum(servers.size() > 1);
        return servers.isEmpty() ? Connection.toPrivateServer(local.isGiven()) : new Connection(servers, quorum, false);
    }

    private static void put(Map<String, String> parameters, String name, Argument<String> option) {
        String value = option.get();
        if (value != null) {
            parameters.put(name, value);
        }
    }

    private QuorumOptions quorum(boolean several) {
        QuorumOptions.Builder options = QuorumOptions.builder();
        if (admitFreshNodes != null && admitFreshNodes.isGiven()) {
            CliException.refuse(!several, "--admit-fresh-nodes" + QUORUM_ONLY);
            options.admitFreshNodes(true);
        }
        Duration longest = longestLease == null ? null : longestLease.get();
        if (longest != null) {
            CliException.refuse(!several, "--longest-lease" + QUORUM_ONLY);
            options.longestLease(longest);
        }
        return options.build();
    }
}
