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

/** Starts the private Redis server. The server leaves the caller's session (daemonize), so it outlives the call. */
final class LocalRedisStarter {

    private static final int PORTS_TO_TRY = 20;

    /**
     * Below the ports that Linux (from 32768) and macOS (from 49152) assign to outgoing connections: a process that holds a lock
     * tries to reach a server that is down, could be assigned its port, and would block it.
     */
    private static final int FIRST_PORT = 20_000;

    private static final int END_OF_PORTS = 32_768;
    private static final int MOST_PROBES = 1_000;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long PAUSE_MILLIS = 5;
    private static final int PASSWORD_BYTES = 32;

    /** The reason follows in a text of the C library, which differs between systems. */
    private static final String PORT_IS_TAKEN = "Could not create server TCP listening socket";

    private final LocalRedisFiles files;

    LocalRedisStarter(LocalRedisFiles files) {
        this.files = files;
    }

    /**
     * Starts it and returns when it replies. Only one process at a time may call this.
     *
     * <p>The server gets its former port and password, because processes that hold a lock try to reach it there until their leases
     * end. If another process has the port by now, it gets a new port, and a new password, because the old one was sent to that
     * process.
     */
    LocalRedisFiles.Address start() throws IOException {
        Path executable = EmbeddedRedis.findExecutable();
        Optional<LocalRedisFiles.Address> former = files.address();
        for (int choice = 0; choice < PORTS_TO_TRY; choice++) {
            LocalRedisFiles.Address address = choice == 0 && former.isPresent() ? former.get() : newAddress();
            files.write(address);
            Files.deleteIfExists(files.log());
            run(executable);
            if (awaitReady(address)) {
                IdleWatch.start(files);
                Diagnostics.print("started a private Redis server on 127.0.0.1:" + address.port() + ", files in "
                        + files.folder() + "; it stops after 10 idle minutes, or with 'keyhold embedded stop'");
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
                throw new IOException(executable + " exited with " + status + ": " + lastLogLine());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it started", e);
        }
    }

    /** Waits until the server is ready; returns false if another process has the port. */
    private boolean awaitReady(LocalRedisFiles.Address address) throws IOException {
        long start = System.nanoTime();
        while (LocalRedisState.of(address, files) != LocalRedisState.READY) {
            String log = readLog();
            if (log.contains(PORT_IS_TAKEN)) {
                return false;
            }
            if (log.contains("# Fatal") || System.nanoTime() - start > TIMEOUT_NANOS) {
                throw new IOException("it does not reply; the last line of its log: " + lastLogLine());
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

    private String readLog() throws IOException {
        return Files.exists(files.log()) ? Files.readString(files.log(), UTF_8) : "";
    }

    private String lastLogLine() throws IOException {
        String log = readLog().stripTrailing();
        return log.substring(log.lastIndexOf('\n') + 1);
    }

    private static LocalRedisFiles.Address newAddress() throws IOException {
        return new LocalRedisFiles.Address(freePort(), password());
    }

    /** Returns a free port from the same range as keyhold-embedded's Ports. */
    private static int freePort() throws IOException {
        for (int attempt = 0; attempt < MOST_PROBES; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_OF_PORTS);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
                return probe.getLocalPort();
            } catch (BindException taken) {
                // Try another port.
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
