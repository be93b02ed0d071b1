package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.embedded.EmbeddedRedis;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Starts the user's own server. The server itself leaves the caller's session (daemonize), and so outlives it. */
final class ServerStart {

    private static final int PORTS_TO_TRY = 20;

    /**
     * Below the ports which Linux (from 32768) and macOS (from 49152) hand out to outgoing connections: whoever is under a lock
     * looks for a server that is down until it is back, could be given its very port, and would keep it out.
     */
    private static final int FIRST_PORT = 20_000;

    private static final int END_OF_PORTS = 32_768;
    private static final int MOST_PROBES = 1_000;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long PAUSE_MILLIS = 5;
    private static final int PASSWORD_BYTES = 32;

    /** Why stands behind it in words of the C library, which are not the same everywhere. */
    private static final String PORT_IS_TAKEN = "Could not create server TCP listening socket";

    private final ServerFiles files;

    ServerStart(ServerFiles files) {
        this.files = files;
    }

    /**
     * Returns when it answers. Only one process at a time may do this.
     *
     * <p>It listens where it did before, by the same password: whoever holds a lock knows the server by these, and looks for
     * it there until the lease has run out. Only if somebody else has the port by now is it another one, and then with a
     * new password too: the old one was said to whoever that is, when we asked for our server.
     */
    ServerFiles.Address start() throws IOException {
        Path executable = EmbeddedRedis.findExecutable();
        Optional<ServerFiles.Address> former = files.address();
        for (int choice = 0; choice < PORTS_TO_TRY; choice++) {
            ServerFiles.Address address = choice == 0 && former.isPresent() ? former.get() : unused();
            files.write(address);
            Files.deleteIfExists(files.log());
            run(executable);
            if (awaitAnswer(address)) {
                IdleWatch.start(files);
                Diagnostics.say("started a Redis server of your own on 127.0.0.1:" + address.port() + ", files in "
                        + files.folder() + "; 'keyhold embedded stop' ends it, and so do ten idle minutes");
                return address;
            }
        }
        throw new IOException("found no free port in " + PORTS_TO_TRY + " attempts");
    }

    private void run(Path executable) throws IOException {
        Process process = new ProcessBuilder(
                        List.of(executable.toString(), files.configuration().toString()))
                .directory(files.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(files.log().toFile()))
                .start();
        process.getOutputStream().close();
        try {
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException(executable + " ended with " + status + ": " + lastWords());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it started", e);
        }
    }

    /** False: somebody else took the port first. */
    private boolean awaitAnswer(ServerFiles.Address address) throws IOException {
        long start = System.nanoTime();
        while (ServerState.of(address, files) != ServerState.READY) {
            String said = words();
            if (said.contains(PORT_IS_TAKEN)) {
                return false;
            }
            if (said.contains("# Fatal") || System.nanoTime() - start > TIMEOUT_NANOS) {
                throw new IOException("it does not answer; its last words: " + lastWords());
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while it started", e);
            }
        }
        return true;
    }

    private String words() throws IOException {
        return Files.exists(files.log()) ? Files.readString(files.log(), UTF_8) : "";
    }

    private String lastWords() throws IOException {
        String said = words().stripTrailing();
        return said.substring(said.lastIndexOf('\n') + 1);
    }

    private static ServerFiles.Address unused() throws IOException {
        return new ServerFiles.Address(freePort(), password());
    }

    /** One of those that no outgoing connection is given, as keyhold-embedded's Ports chooses it. */
    private static int freePort() throws IOException {
        for (int attempt = 0; attempt < MOST_PROBES; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_OF_PORTS);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
                return probe.getLocalPort();
            } catch (BindException taken) {
                // Then another one.
            }
        }
        throw new IOException("found no free port in " + MOST_PROBES + " attempts");
    }

    private static String password() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
