package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The state of the private Redis server. */
enum LocalRedisState {
    /** Nothing listens on its port, or a process that does not accept its password. */
    ABSENT,
    /** It runs, and is loading its data or busy. */
    NOT_READY,
    /** It runs and replies. */
    READY;

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long PAUSE_MILLIS = 20;

    /** Waits while the server is {@link #NOT_READY}; fails if that takes too long. */
    static LocalRedisState await(LocalRedisFiles.Address address, LocalRedisFiles files) throws IOException {
        long start = System.nanoTime();
        LocalRedisState state = of(address, files);
        while (state == NOT_READY) {
            if (System.nanoTime() - start > TIMEOUT_NANOS) {
                throw noReply(address, null);
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
            throw new IOException("interrupted while it loaded its data", e);
        }
    }

    static LocalRedisState of(LocalRedisFiles.Address address, LocalRedisFiles files) throws IOException {
        try (RespClient redis = RespClient.connect(address.port())) {
            if (!redis.call("AUTH " + address.password()).equals("+OK")) {
                return ABSENT;
            }
            return redis.call("PING").equals("+PONG") ? READY : NOT_READY;
        } catch (SocketTimeoutException e) {
            if (isRunning(files)) {
                throw noReply(address, e);
            }
            return ABSENT;
        } catch (SocketException | EOFException absentOrForeign) {
            return ABSENT;
        }
    }

    /** Whether a Redis server runs under the recorded process id, which may belong to another process by now. */
    private static boolean isRunning(LocalRedisFiles files) throws IOException {
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

    private static IOException noReply(LocalRedisFiles.Address address, @Nullable Throwable cause) {
        return new IOException("it does not reply on 127.0.0.1:" + address.port() + ": it is stopped or busy", cause);
    }
}
