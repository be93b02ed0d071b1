package io.keyhold.embedded;

import java.nio.file.Path;
import java.time.Duration;

/** All that is needed to run one and the same server, once or again. */
record ServerLauncher(
        Path executable, ServerOptions options, ServerDirectory directory, int port, Duration startTimeout) {

    /** Returns when the server responds. Leaves no process behind when it does not. */
    ServerProcess launch() {
        // Not left to the server alone: while it finds out and gives up, the other one would answer in its place.
        if (!Ports.isFree(port)) {
            throw new PortTakenException("port " + port + " of " + EmbeddedRedis.HOST + " is already in use");
        }
        Path configuration = directory.writeConfiguration(options.render(port, directory.path()));
        ServerProcess process = ServerProcess.start(executable, configuration, directory);
        try {
            new StartupProbe(process, port, startTimeout).awaitAnswer();
            return process;
        } catch (RuntimeException e) {
            process.kill();
            throw e;
        }
    }
}
