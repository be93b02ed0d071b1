package io.keyhold.cli;

import io.keyhold.doctor.ServerInfo;
import io.keyhold.embedded.internal.RespConnection;
import io.keyhold.spi.RedisUri;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The private Redis server, which all calls of a user share that name no other server: a redis-server in the background, on a
 * port of 127.0.0.1, with a password that only this user can read.
 *
 * <p>The server itself is asked whether it runs, with that password. Process ids and files are not trusted, because they outlive
 * the process: another process may have the port or the process id by now, and does not accept the password. Two file locks, which
 * the operating system drops with their process, do the rest: one lets a single call start or stop the server, the other is shared
 * by all calls that use it.
 */
final class LocalRedis {

    private static final String HOST = "127.0.0.1";

    /**
     * Long, because no network is involved: a server that does not reply is busy or stopped, so a repeated command would not help,
     * and a server that is gone refuses the connection at once. The command timeout is shorter than the time for which the launcher
     * waits for a release.
     */
    private static final String TIMEOUTS = "?connectTimeout=20s&commandTimeout=8s";

    /** The server writes its data before it ends, which takes long on a busy disk. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofMinutes(1);

    /** Kept until the process ends: an unreferenced channel is closed, which drops its lock. */
    @SuppressWarnings("unused")
    private static volatile @Nullable FileLock inUse;

    private final LocalRedisFiles files;

    LocalRedis(LocalRedisFiles files) {
        this.files = files;
    }

    static LocalRedis ofUser() {
        try {
            return new LocalRedis(LocalRedisFiles.ofUser());
        } catch (IOException e) {
            throw failure("cannot create its directory: " + e, e);
        }
    }

    /** Returns its address; starts it if it does not run. It does not stop as idle until this process ends. */
    static synchronized RedisUri ensureRunning() {
        LocalRedis server = ofUser();
        try {
            if (inUse == null) {
                inUse = lock(server.files.inUseLock(), true);
            }
            server.files.noteUse();
            Optional<LocalRedisFiles.Address> running = server.runningAddress();
            return uri(running.isPresent() ? running.get() : server.startUnlessRunning());
        } catch (IOException e) {
            throw failure(e.toString(), e);
        }
    }

    private static RedisUri uri(LocalRedisFiles.Address address) {
        return RedisUri.parse("redis://:" + address.password() + "@" + HOST + ":" + address.port() + TIMEOUTS);
    }

    private LocalRedisFiles.Address startUnlessRunning() throws IOException {
        FileLock exclusive = lock(files.startLock(), false);
        try {
            Optional<LocalRedisFiles.Address> started = runningAddress();
            return started.isPresent() ? started.get() : new LocalRedisStarter(files).start();
        } finally {
            exclusive.channel().close();
        }
    }

    /**
     * Returns the address of the server if it runs; waits while it loads its data. A server that does not reply in time is an
     * error: it may be stopped, and its locks are still held.
     */
    Optional<LocalRedisFiles.Address> runningAddress() throws IOException {
        Optional<LocalRedisFiles.Address> address = files.address();
        return address.isPresent() && LocalRedisState.await(address.get(), files) == LocalRedisState.READY
                ? address
                : Optional.empty();
    }

    /** Returns the server's reply to INFO, if it runs. */
    Optional<ServerInfo> info() {
        try {
            Optional<LocalRedisFiles.Address> address = runningAddress();
            if (address.isEmpty()) {
                return Optional.empty();
            }
            try (RespConnection redis = LocalRedisState.connect(address.get(), LocalRedisState.REPLY_TIMEOUT)) {
                return Optional.of(new ServerInfo(redis.ask("INFO", "server").text()));
            }
        } catch (IOException e) {
            throw failure(e.toString(), e);
        }
    }

    /** Returns its URI if it runs; does not start it. */
    Optional<RedisUri> uriIfRunning() {
        try {
            return runningAddress().map(LocalRedis::uri);
        } catch (IOException e) {
            throw failure(e.toString(), e);
        }
    }

    LocalRedisFiles files() {
        return files;
    }

    /**
     * Stops it. The next start loads its locks from the disk and listens on the same port, where a process that holds a lock tries
     * to reach it.
     *
     * @return whether it ran
     */
    boolean stop() {
        try {
            FileLock exclusive = lock(files.startLock(), false);
            try {
                return shutdown();
            } finally {
                exclusive.channel().close();
            }
        } catch (IOException e) {
            throw failure(e.toString(), e);
        }
    }

    private boolean shutdown() throws IOException {
        Optional<LocalRedisFiles.Address> address = runningAddress();
        if (address.isEmpty()) {
            return false;
        }
        try (RespConnection redis = LocalRedisState.connect(address.get(), SHUTDOWN_TIMEOUT)) {
            // The connection ends with the process.
            String reply = redis.ask("SHUTDOWN", "NOSAVE").text();
            throw new IOException("it did not stop, and replied: " + reply);
        } catch (RespConnection.ErrorReply refusal) {
            throw new IOException("it refused to stop: " + refusal.getMessage(), refusal);
        } catch (SocketException | EOFException ended) {
            return true;
        } catch (SocketTimeoutException e) {
            throw new IOException("it did not stop within a minute", e);
        }
    }

    /**
     * Stops it if no call of the command is running. No call can start meanwhile, because it waits for the lock on the file.
     *
     * @param anyLockHeld tests whether a lock is held; called if no call is running
     * @return whether it is stopped now
     */
    boolean stopIfUnused(Predicate<RedisUri> anyLockHeld) {
        try {
            FileLock exclusive = tryLock(files.inUseLock());
            if (exclusive == null) {
                files.noteUse();
                return false;
            }
            try {
                Optional<RedisUri> uri = uriIfRunning();
                if (uri.isPresent() && anyLockHeld.test(uri.get())) {
                    files.noteUse();
                    return false;
                }
                stop();
                // No process holds a lock, so none needs the old address.
                files.deleteAddress();
                return true;
            } finally {
                exclusive.channel().close();
            }
        } catch (IOException e) {
            throw failure(e.toString(), e);
        }
    }

    /** Waits for the lock, which is held until its channel is closed or the process ends. */
    private static FileLock lock(Path file, boolean shared) throws IOException {
        return open(file).lock(0, Long.MAX_VALUE, shared);
    }

    private static @Nullable FileLock tryLock(Path file) throws IOException {
        FileChannel channel = open(file);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
        }
        return lock;
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static CliException failure(String message, IOException cause) {
        return new CliException(ExitCode.UNREACHABLE, "the private Redis server: " + message, cause);
    }
}
