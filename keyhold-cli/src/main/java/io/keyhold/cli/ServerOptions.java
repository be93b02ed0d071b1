package io.keyhold.cli;

import io.keyhold.QuorumOptions;
import io.keyhold.spi.RedisUri;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.OptionSpec;

/** The options that name the server. */
class ServerOptions {

    private final Argument<List<String>> redis;
    private final Argument<String> cacert;
    private final Argument<String> cert;
    private final Argument<String> certKey;
    private final Argument<Boolean> local;

    /** Adds them to a command. */
    ServerOptions(CliCommand command) {
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
    }

    /** Returns the connection to the server that these options or the environment name. */
    final Connection connection() {
        CliException.refuse(local.isGiven() && redis.isGiven(), "--local and --redis exclude each other");
        Map<String, String> tls = new LinkedHashMap<>();
        put(tls, "caFile", cacert);
        put(tls, "certFile", cert);
        put(tls, "keyFile", certKey);
        List<RedisUri> servers = Connection.named(redis.orElse(List.of()), local.isGiven(), tls);
        QuorumOptions quorum = quorum(servers.size());
        return servers.isEmpty() ? Connection.toPrivateServer(local.isGiven()) : Connection.to(servers, quorum);
    }

    private static void put(Map<String, String> parameters, String name, Argument<String> option) {
        String value = option.get();
        if (value != null) {
            parameters.put(name, value);
        }
    }

    /** Returns the options for a quorum of this many servers. */
    QuorumOptions quorum(int servers) {
        return QuorumOptions.defaults();
    }
}
