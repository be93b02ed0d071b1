package io.keyhold.cli;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name the server, and help. */
class ServerOptions {

    @Option(
            names = "--redis",
            paramLabel = "URI",
            split = Connection.SEPARATOR,
            description =
                    "The server, such as redis://localhost:6379, redis-sentinel://s1:26379,s2:26379/0?master=name or"
                            + " redis-cluster://a:7000,b:7000. Several URIs (the option repeated, or separated by commas) form"
                            + " a quorum. Default: the environment variable KEYHOLD_REDIS, else a private Redis server, started"
                            + " on first use, for this user on this machine only.")
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
            names = "--local",
            description =
                    "Use the private Redis server of this machine, for this user only, without the notice that says so.")
    boolean local;

    @Mixin
    @SuppressWarnings("unused") // Read by picocli.
    private HelpOptions help = new HelpOptions();

    /** Returns the connection to the server that these options or the environment name. */
    Connection connection() {
        return connection(new QuorumFlags(false, Optional.empty()));
    }

    final Connection connection(QuorumFlags quorum) {
        if (local && !redis.isEmpty()) {
            throw new CliException(ExitCode.USAGE, "--local and --redis exclude each other");
        }
        TlsFiles tls =
                new TlsFiles(Optional.ofNullable(cacert), Optional.ofNullable(cert), Optional.ofNullable(certKey));
        return Connection.to(redis, local, tls, quorum);
    }
}
