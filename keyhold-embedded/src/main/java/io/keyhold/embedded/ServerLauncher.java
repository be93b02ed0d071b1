package io.keyhold.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is needed to run one and the same server, once or again.
 *
 * @param reservedTlsPort the port for TLS, which the options name too
 */
record ServerLauncher(
        Path executable,
        List<String> arguments,
        ServerOptions options,
        ServerDirectory directory,
        ReservedPort reservedPort,
        @Nullable ReservedPort reservedTlsPort,
        Duration startTimeout) {

    int port() {
        return reservedPort.number();
    }

    /** Returns the port for TLS; 0 for none. */
    int tlsPort() {
        return reservedTlsPort == null ? 0 : reservedTlsPort.number();
    }

    /** Lets others choose the ports. The server is not started again. */
    void releasePorts() {
        reservedPort.close();
        if (reservedTlsPort != null) {
            reservedTlsPort.close();
        }
    }

    /** Starts the server for the first time. Returns when it replies; leaves no process when it does not. */
    ServerProcess launch() {
        directory.writeConfiguration(options.render(port(), directory.path()));
        return launchAgain();
    }

    /**
     * Starts the server with the configuration that is there: a server that was told to (CONFIG REWRITE), or a sentinel, has
     * written its own state into it.
     */
    ServerProcess launchAgain() {
        requireFreePort();
        return awaitReply(ServerProcess.start(executable, arguments, directory));
    }

    /** Starts the server as a daemon. Returns when it replies; leaves the process when it does not reply in time. */
    void launchDaemon() {
        requireFreePort();
        directory.writeConfiguration(options.asDaemon(directory).render(port(), directory.path()));
        awaitReply(ServerDaemon.start(executable, arguments, directory));
    }

    /** Not left to the server alone: while it finds out and gives up, the other one would reply in its place. */
    private void requireFreePort() {
        if (!Ports.isFree(port())) {
            throw new PortTakenException("port " + port() + " of " + EmbeddedRedis.HOST + " is already in use");
        }
    }

    private ServerProcess awaitReply(ServerProcess process) {
        try {
            new StartupProbe(process, port(), startTimeout).awaitReply();
            return process;
        } catch (RuntimeException e) {
            process.kill();
            throw e;
        }
    }
}
