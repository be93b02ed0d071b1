package io.keyhold.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that needs a server. */
final class CommonOptions {

    @Option(
            names = "--redis",
            paramLabel = "URI",
            split = Connection.SEPARATOR,
            description =
                    "The server, such as redis://localhost:6379, redis-sentinel://s1:26379,s2:26379/0?master=name or"
                            + " redis-cluster://a:7000,b:7000. Several URIs (the option repeated, or separated by commas) form"
                            + " a quorum. Default: the environment variable KEYHOLD_REDIS, else a private Redis server, started"
                            + " on first use.")
    List<String> redis = List.of();

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            description = "TLS only: a PEM file with the certificates of the authorities to trust. Default: Java's.")
    @Nullable
    String cacert;

    @Option(
            names = "--cert",
            paramLabel = "FILE",
            description = "TLS only: a PEM file with the client's certificate, if the server demands one.")
    @Nullable
    String cert;

    @Option(
            names = "--cert-key",
            paramLabel = "FILE",
            description = "TLS only: a PEM file with the private key of --cert.")
    @Nullable
    String certKey;

    @Option(
            names = "--admit-fresh-nodes",
            description =
                    "Quorum only: new servers vote immediately. Use it only if the servers are known to be new: a server that"
                            + " lost its data looks the same. Default: they vote after --longest-lease.")
    boolean admitFreshNodes;

    @Option(
            names = "--longest-lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            description =
                    "Quorum only: the upper bound of every lease; a restarted server does not vote for this long. Must be the"
                            + " same for all clients. Default: 1m.")
    @Nullable
    Duration longestLease;

    @Mixin
    @SuppressWarnings("unused") // Read by picocli.
    private HelpOptions help = new HelpOptions();

    /** Returns the connection to the server that these options or the environment name. */
    Connection connection() {
        return Connection.to(
                redis,
                new TlsFiles(Optional.ofNullable(cacert), Optional.ofNullable(cert), Optional.ofNullable(certKey)),
                new QuorumFlags(admitFreshNodes, Optional.ofNullable(longestLease)));
    }
}
