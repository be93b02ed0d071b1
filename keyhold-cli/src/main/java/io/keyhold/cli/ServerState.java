package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;

/** What is to be found where the user's own server should listen. */
enum ServerState {
    /** Nothing, or a server that does not take our password: it is somebody else's. */
    ABSENT,
    /** Ours, reading its data or busy. */
    NOT_READY,
    /** Ours, and it answers. */
    READY;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long PAUSE_MILLIS = 20;

    /** Not {@link #NOT_READY}, unless it stays so for a long time, which is an error. */
    static ServerState await(ServerFiles.Address address, ServerFiles files) throws IOException {
        long start = System.nanoTime();
        ServerState state = of(address, files);
        while (state == NOT_READY) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw silent(address, null);
            }
            pause();
            state = of(address, files);
        }
        return state;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it read its data", e);
        }
    }

    static ServerState of(ServerFiles.Address address, ServerFiles files) throws IOException {
        try (PlainRedis redis = PlainRedis.connect(address.port())) {
            if (!redis.ask("AUTH " + address.password()).equals("+OK")) {
                return ABSENT;
            }
            return redis.ask("PING").equals("+PONG") ? READY : NOT_READY;
        } catch (SocketTimeoutException e) {
            if (isRunning(files)) {
                throw silent(address, e);
            }
            return ABSENT;
        } catch (SocketException | EOFException nobodyOrSomebodyElse) {
            return ABSENT;
        }
    }

    /** Whether the process that wrote its id runs, as far as the system tells: the id may be another process's by now. */
    private static boolean isRunning(ServerFiles files) throws IOException {
        if (!Files.exists(files.pid())) {
            return false;
        }
        try {
            long pid = Long.parseLong(Files.readString(files.pid(), UTF_8).strip());
            return ProcessHandle.of(pid)
                    .map(process -> process.info().command().orElse("").contains("-server"))
                    .orElse(false);
        } catch (NumberFormatException damaged) {
            return false;
        }
    }

    private static IOException silent(ServerFiles.Address address, @org.jspecify.annotations.Nullable Throwable cause) {
        return new IOException("it does not answer on 127.0.0.1:" + address.port() + ": is it stopped or busy?", cause);
    }
}
