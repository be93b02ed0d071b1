package io.keyhold.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a server is to be started. What is not said here is as {@link EmbeddedRedis#start()} says. */
public final class EmbeddedRedisBuilder {
    static final Duration DEFAULT_START_TIMEOUT = Duration.ofSeconds(30);

    private static final int MAX_PORT = 65_535;
    private static final Duration MAX_START_TIMEOUT = Duration.ofHours(1);
    private static final int MAX_PORT_CHOICES = 20;

    private final Supplier<ReservedPort> freePort;
    private final List<String> arguments = new ArrayList<>();
    private ServerOptions options = ServerOptions.NONE;
    private int port;
    private @Nullable Path directory;
    private @Nullable Path executable;
    private @Nullable EmbeddedCertificates certificates;
    private boolean demandClientCertificate;
    private Duration startTimeout = DEFAULT_START_TIMEOUT;

    EmbeddedRedisBuilder(Supplier<ReservedPort> freePort) {
        this.freePort = freePort;
    }

    /**
     * Adds a directive of redis.conf, for example {@code option("maxmemory", "1mb")}. It replaces a default of the same
     * name; a directive that is given twice is in the configuration twice, as {@code user} or {@code save} may.
     *
     * @param values at least one; quoted as needed, and never shown in the list of processes
     * @throws IllegalArgumentException if the name is not that of a directive, if it is {@code port}, {@code dir} or
     *     {@code daemonize}, or if a value contains a control character such as a line break
     */
    public EmbeddedRedisBuilder option(String name, String... values) {
        options = options.with(name, values);
        return this;
    }

    /**
     * Sets the port to listen on.
     *
     * @param port from 1 to 65535, or 0 (the default) for a free one
     */
    public EmbeddedRedisBuilder port(int port) {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException(
                    "port " + port + ": must be from 1 to " + MAX_PORT + ", or 0 for a free one");
        }
        this.port = port;
        return this;
    }

    /** Sets where the server keeps its files: created if missing, and kept when the server is closed. */
    public EmbeddedRedisBuilder directory(Path directory) {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new IllegalArgumentException("directory " + directory + ": is not a directory");
        }
        this.directory = directory;
        return this;
    }

    /** Sets the server to run, instead of the one that would be found. */
    public EmbeddedRedisBuilder executable(Path executable) {
        this.executable = checkedExecutable(executable);
        return this;
    }

    static Path checkedExecutable(Path executable) {
        if (!ServerFinder.isExecutable(executable)) {
            throw new IllegalArgumentException("executable " + executable + ": must be an executable file");
        }
        return executable.toAbsolutePath();
    }

    /**
     * Sets how long to wait for the server's first reply, which includes the time it takes to load its data.
     *
     * @param startTimeout more than zero, at most an hour
     */
    public EmbeddedRedisBuilder startTimeout(Duration startTimeout) {
        this.startTimeout = checkedTimeout("startTimeout", startTimeout);
        return this;
    }

    static Duration checkedTimeout(String name, Duration timeout) {
        if (timeout.isZero() || timeout.isNegative() || timeout.compareTo(MAX_START_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    name + " " + timeout + ": must be more than zero and at most " + MAX_START_TIMEOUT);
        }
        return timeout;
    }

    /**
     * Listens on a second port too, with TLS: {@link EmbeddedRedis#tlsUri()}. The server must have been built with TLS. The
     * bundled ones are.
     */
    public EmbeddedRedisBuilder tls(EmbeddedCertificates certificates) {
        this.certificates = Objects.requireNonNull(certificates, "certificates must not be null");
        return this;
    }

    /** Refuses connections on the TLS port without a certificate that the authority of {@link #tls} has signed. */
    public EmbeddedRedisBuilder demandClientCertificate() {
        demandClientCertificate = true;
        return this;
    }

    /** Adds an argument to the command line, which every user of the machine can see. */
    EmbeddedRedisBuilder argument(String argument) {
        arguments.add(argument);
        return this;
    }

    /** Adds directives that were checked before. */
    EmbeddedRedisBuilder options(ServerOptions more) {
        options = options.with(more);
        return this;
    }

    /**
     * Starts the server and returns when it responds.
     *
     * @throws EmbeddedRedisException if there is no server to run, or if it does not start; the message then ends with
     *     the server's last output
     * @throws PortTakenException if another process listens on the chosen port
     * @throws IllegalStateException if it is to demand client certificates without TLS
     */
    public EmbeddedRedis start() {
        return start(EmbeddedRedis::start);
    }

    /**
     * Starts the server as a daemon, which outlives this JVM, and returns when it responds. The command SHUTDOWN ends it. Its
     * directory then has its configuration ({@code embedded-redis.conf}), with port and password, for other processes to find it,
     * its output ({@code embedded-redis.log}) and its process id ({@code embedded-redis.pid}). No other server may use that
     * directory.
     *
     * @return the port it listens on
     * @throws EmbeddedRedisException if there is no server to run, or if it does not start; if it only does not reply in time,
     *     the process continues
     * @throws PortTakenException if another process listens on the chosen port
     * @throws IllegalStateException if it has no {@link #directory}, or if it is to demand client certificates without TLS
     */
    public int startDaemon() {
        if (directory == null) {
            throw new IllegalStateException("startDaemon() needs directory(path)");
        }
        return start(launcher -> {
            launcher.launchDaemon();
            launcher.releasePorts();
            return launcher.port();
        });
    }

    private <T> T start(Function<ServerLauncher, T> start) {
        if (demandClientCertificate && certificates == null) {
            throw new IllegalStateException("demandClientCertificate() needs tls(certificates)");
        }
        Path server = executable != null ? executable : EmbeddedRedis.findExecutable();
        ServerDirectory files = ServerDirectory.create(directory);
        try {
            return port == 0
                    ? startOnFreePort(server, files, start)
                    : startOn(
                            ReservedPort.reserve(port).orElseGet(() -> ReservedPort.unreserved(port)),
                            server,
                            files,
                            start);
        } catch (RuntimeException e) {
            files.deleteIfTemporary();
            throw e;
        }
    }

    /** Tries the next port if another process takes it between the choice and the start. */
    private <T> T startOnFreePort(Path server, ServerDirectory files, Function<ServerLauncher, T> start) {
        for (int choice = 1; ; choice++) {
            try {
                return startOn(freePort.get(), server, files, start);
            } catch (PortTakenException e) {
                if (choice == MAX_PORT_CHOICES) {
                    throw e;
                }
            }
        }
    }

    /** Releases the ports if the server does not start. */
    private <T> T startOn(ReservedPort chosen, Path server, ServerDirectory files, Function<ServerLauncher, T> start) {
        ReservedPort tlsPort = null;
        try {
            ServerOptions all = options;
            if (certificates != null) {
                do {
                    tlsPort = freePort.get();
                } while (tlsPort.number() == chosen.number());
                all = all.with(certificates.directives(tlsPort.number(), demandClientCertificate));
            }
            return start.apply(
                    new ServerLauncher(server, List.copyOf(arguments), all, files, chosen, tlsPort, startTimeout));
        } catch (RuntimeException e) {
            chosen.close();
            if (tlsPort != null) {
                tlsPort.close();
            }
            throw e;
        }
    }
}
