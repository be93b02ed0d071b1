package io.keyhold.cli;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.embedded.EmbeddedRedisException;
import io.keyhold.embedded.PortTakenException;
import io.keyhold.embedded.internal.RespConnection;
import io.keyhold.spi.RedisUri;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
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

    /**
     * Long, because no network is involved: a server that does not reply is busy or stopped, so a repeated command would not help,
     * and a server that is gone refuses the connection at once. The command timeout is shorter than the time for which the launcher
     * waits for a release.
     */
    private static final String TIMEOUTS = "?connectTimeout=20s&commandTimeout=8s";

    private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(5);

    /** For loading its data. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(20);

    /** The server writes its data before it ends, which takes long on a busy disk. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofMinutes(1);

    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final int PASSWORD_BYTES = 32;

    /** Kept until the process ends: an unreferenced channel is closed, which drops its lock. */
    private static volatile @Nullable FileLock inUse;

    private final LocalRedisFiles files;

    LocalRedis(LocalRedisFiles files) {
        this.files = files;
    }

    /** Something that is done with the server. */
    interface Task<T> {
        T run(LocalRedis server) throws IOException;
    }

    /**
     * Does something with the server of this user.
     *
     * @throws CliException if the server or its files fail
     */
    static <T> T ofUser(Task<T> task) {
        try {
            return task.run(new LocalRedis(LocalRedisFiles.ofUser()));
        } catch (EmbeddedRedisException e) {
            throw new CliException(ExitCode.UNREACHABLE, "the private Redis server: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CliException(ExitCode.UNREACHABLE, "the private Redis server: " + e, e);
        }
    }

    /** Returns its address; starts it if it does not run, and says so unless silent. It does not stop as idle until this process ends. */
    static synchronized RedisUri ensureRunning(boolean silent) {
        return ofUser(server -> {
            FileLock lock = inUse;
            if (lock == null) {
                lock = LocalRedisFiles.lock(server.files.inUseLock(), true);
                inUse = lock;
            }
            LocalRedisFiles.noteUse(lock);
            Optional<LocalRedisFiles.Address> running = server.running();
            return uri(running.isPresent() ? running.get() : server.alone(it -> it.start(silent)));
        });
    }

    private static RedisUri uri(LocalRedisFiles.Address address) {
        return RedisUri.parse("redis://:" + address.password() + "@127.0.0.1:" + address.port() + TIMEOUTS);
    }

    /** Does something while no other call starts or stops the server. */
    private <T> T alone(Task<T> task) throws IOException {
        FileLock exclusive = LocalRedisFiles.lock(files.folder().resolve("start.lock"), false);
        try {
            return task.run(this);
        } finally {
            exclusive.channel().close();
        }
    }

    /**
     * Starts it, unless another call has, at its former address, because processes that hold a lock try to reach it there until their leases end. If another
     * process has the port by now, it gets a new port, and a new password, because the old one was sent to that process.
     *
     * <p>It writes every change to its append-only file before it replies, but does not force it to the disk. So a server that
     * crashed and was restarted still knows all holders; otherwise it would grant a lock whose holder is at work. A crash of the
     * machine ends all holders too, because only this machine can reach the server. {@code appendfsync everysec} would be weaker:
     * while the disk is busy, the server replies first and writes later.
     */
    private LocalRedisFiles.Address start(boolean silent) throws IOException {
        Optional<LocalRedisFiles.Address> started = running();
        if (started.isPresent()) {
            return started.get();
        }
        Duration idle = IdleWatch.idle();
        Optional<LocalRedisFiles.Address> former = files.address();
        try {
            start(
                    former.map(LocalRedisFiles.Address::port).orElse(0),
                    former.map(LocalRedisFiles.Address::password).orElseGet(LocalRedis::newPassword));
        } catch (PortTakenException e) {
            start(0, newPassword());
        }
        LocalRedisFiles.Address address = running()
                .orElseThrow(() -> new IOException("it ended after its start; its log is in " + files.folder()));
        IdleWatch.start(files, idle);
        if (!silent) {
            Diagnostics.print("started a private Redis server on 127.0.0.1:" + address.port() + ", files in "
                    + files.folder() + "; it stops when idle for " + Durations.text(idle)
                    + ", or with 'keyhold embedded stop'");
        }
        return address;
    }

    private void start(int port, String password) {
        EmbeddedRedis.builder()
                .directory(files.folder())
                .port(port)
                .option("requirepass", password)
                .option("appendonly", "yes")
                .option("appendfsync", "no")
                .startTimeout(START_TIMEOUT)
                .startDaemon();
    }

    private static String newPassword() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Returns the address of the server if it runs; waits while it loads its data. A server that does not serve in time is an error: it
     * is stopped or busy, or has too many clients, and its locks are still held.
     */
    private Optional<LocalRedisFiles.Address> running() throws IOException {
        Optional<LocalRedisFiles.Address> address = files.address();
        if (address.isEmpty()) {
            return address;
        }
        long start = System.nanoTime();
        while (true) {
            try (RespConnection redis = connect(address.get(), REPLY_TIMEOUT)) {
                while (!isReady(redis)) {
                    pause(start, START_TIMEOUT, address.get(), null);
                }
                return address;
            } catch (ConnectException | ProtocolException notOurs) {
                return Optional.empty();
            } catch (RespConnection.ErrorReply | SocketTimeoutException | SocketException | EOFException e) {
                // Another process that has the port does not have the process id too. The server may be about to end.
                if (isOfAnother(String.valueOf(e.getMessage())) || !files.isProcessRunning()) {
                    return Optional.empty();
                }
                pause(start, REPLY_TIMEOUT, address.get(), e);
            }
        }
    }

    /** Whether another server says this: ours has this password. After a restart of the machine, any process may have its id. */
    private static boolean isOfAnother(String error) {
        return error.startsWith("WRONGPASS") || error.contains("without any password configured");
    }

    private static void pause(
            long start, Duration timeout, LocalRedisFiles.Address address, @Nullable IOException cause)
            throws IOException {
        if (System.nanoTime() - start >= timeout.toNanos()) {
            throw new IOException(
                    "it does not reply on 127.0.0.1:" + address.port() + ": it is stopped or busy"
                            + (cause instanceof RespConnection.ErrorReply ? " (" + cause.getMessage() + ")" : ""),
                    cause);
        }
        LockSupport.parkNanos(PAUSE.toNanos());
    }

    private static RespConnection connect(LocalRedisFiles.Address address, Duration timeout) throws IOException {
        return RespConnection.connect(address.port(), address.password(), timeout);
    }

    /** Any other error is the reply of a server that serves: with a full disk that to PING is MISCONF. */
    private static boolean isReady(RespConnection redis) throws IOException {
        try {
            redis.ask("PING");
            return true;
        } catch (RespConnection.ErrorReply e) {
            String error = String.valueOf(e.getMessage());
            return !error.startsWith("LOADING") && !error.startsWith("BUSY");
        }
    }

    /** Returns the directory of its files. */
    Path folder() {
        return files.folder();
    }

    /** Returns the fields of the server's reply to INFO, if it runs. */
    Optional<Map<String, String>> info() throws IOException {
        Optional<LocalRedisFiles.Address> address = running();
        if (address.isEmpty()) {
            return Optional.empty();
        }
        try (RespConnection redis = connect(address.get(), REPLY_TIMEOUT)) {
            return Optional.of(redis.ask("INFO", "server").info());
        }
    }

    /**
     * Stops it. The next start loads its locks from the disk and listens on the same port, where a process that holds a lock tries
     * to reach it.
     *
     * @return whether it ran
     */
    boolean stop() throws IOException {
        return alone(LocalRedis::stopIfRunning);
    }

    private boolean stopIfRunning() throws IOException {
        Optional<LocalRedisFiles.Address> address = running();
        if (address.isEmpty()) {
            return false;
        }
        try (RespConnection redis = connect(address.get(), SHUTDOWN_TIMEOUT)) {
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
    boolean stopIfUnused(Predicate<RedisUri> anyLockHeld) throws IOException {
        FileLock exclusive = LocalRedisFiles.tryLock(files.inUseLock());
        if (exclusive == null) {
            files.noteUseByOthers();
            return false;
        }
        try {
            Optional<LocalRedisFiles.Address> running = running();
            if (running.isPresent() && anyLockHeld.test(uri(running.get()))) {
                LocalRedisFiles.noteUse(exclusive);
                return false;
            }
            stop();
            // No process holds a lock, so none needs the old address.
            files.deleteAddress();
            return true;
        } finally {
            exclusive.channel().close();
        }
    }
}
