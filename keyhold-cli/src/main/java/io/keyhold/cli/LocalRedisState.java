package io.keyhold.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyhold.embedded.internal.RespConnection;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.time.Duration;
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

    static final Duration REPLY_TIMEOUT = Duration.ofSeconds(5);

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

    /**
     * Connects to the server.
     *
     * @param timeout the longest time for the connection and for each reply
     * @throws RespConnection.ErrorReply if it does not accept the password
     */
    static RespConnection connect(LocalRedisFiles.Address address, Duration timeout) throws IOException {
        return RespConnection.connect(address.port(), address.password(), timeout);
    }

    static LocalRedisState of(LocalRedisFiles.Address address, LocalRedisFiles files) throws IOException {
        try (RespConnection redis = connect(address, REPLY_TIMEOUT)) {
            return of(redis);
        } catch (SocketTimeoutException e) {
            if (isRunning(files)) {
                throw noReply(address, e);
            }
            return ABSENT;
        } catch (RespConnection.ErrorReply | SocketException | EOFException | ProtocolException absentOrForeign) {
            return ABSENT;
        }
    }

    private static LocalRedisState of(RespConnection redis) throws IOException {
        try {
            return redis.ask("PING").text().equals("PONG") ? READY : NOT_READY;
        } catch (RespConnection.ErrorReply loadingOrBusy) {
            return NOT_READY;
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
