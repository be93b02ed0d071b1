package io.keyhold.cli;

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
 * The user's own server, which all calls of the command share that are not told of another: a real redis-server in the
 * background, on a port of 127.0.0.1 that asks for a password which only this user can read.
 *
 * <p>Whether it runs is asked of the server itself, by that password, and not of process ids or files, which outlive what
 * they stand for: a port that is somebody else's now, or a process id that is, answers otherwise or not at all. Two locks on
 * files, which the system drops with the process that holds them, do the rest: one lets a single call start or stop the
 * server, the other tells whether anybody uses it.
 */
final class UsersServer {

    private static final String HOST = "127.0.0.1";

    /**
     * There is no network that could swallow anything: if it says nothing it has much to do or is stopped in its tracks, and
     * asking once more would not help; one that is gone refuses at once. An answer may take less than the launcher waits for
     * a lock to be released.
     */
    private static final String PATIENTLY = "?connectTimeout=20s&commandTimeout=8s";

    /** It writes down what it knows first, which takes long where the disk is busy. */
    private static final Duration END_PATIENCE = Duration.ofMinutes(1);

    /** Kept until the process ends: a channel that nobody refers to is closed, and its lock is gone. */
    @SuppressWarnings("unused")
    private static volatile @Nullable FileLock presence;

    private final ServerFiles files;

    UsersServer(ServerFiles files) {
        this.files = files;
    }

    static UsersServer ofThisUser() {
        try {
            return new UsersServer(ServerFiles.ofThisUser());
        } catch (IOException e) {
            throw failure("cannot make its folder: " + e, e);
        }
    }

    /** Where it listens; it is started if it does not run. From now on until the end of this process it does not stop by itself. */
    static RedisUri ensureRunning() {
        UsersServer server = ofThisUser();
        try {
            presence = lock(server.files.presenceLock(), true);
            server.files.noteUse();
            Optional<ServerFiles.Address> running = server.running();
            return uri(running.isPresent() ? running.get() : server.startUnlessRunning());
        } catch (IOException e) {
            throw failure(e.toString(), e);
        }
    }

    private static RedisUri uri(ServerFiles.Address address) {
        return RedisUri.parse("redis://:" + address.password() + "@" + HOST + ":" + address.port() + PATIENTLY);
    }

    private ServerFiles.Address startUnlessRunning() throws IOException {
        FileLock alone = lock(files.startLock(), false);
        try {
            Optional<ServerFiles.Address> started = running();
            return started.isPresent() ? started.get() : new ServerStart(files).start();
        } finally {
            alone.channel().close();
        }
    }

    /**
     * Where it listens, if it runs; waits for one that is still reading its data. One that does not answer in time is an
     * error: it may be stopped in its tracks, and still know who holds what.
     */
    Optional<ServerFiles.Address> running() throws IOException {
        Optional<ServerFiles.Address> address = files.address();
        return address.isPresent() && ServerState.await(address.get(), files) == ServerState.READY
                ? address
                : Optional.empty();
    }

    /** What the server says of itself, if it runs. */
    Optional<ServerInfo> info() {
        try {
            Optional<ServerFiles.Address> address = running();
            if (address.isEmpty()) {
                return Optional.empty();
            }
            try (PlainRedis redis = PlainRedis.connect(address.get().port())) {
                redis.ask("AUTH " + address.get().password());
                return Optional.of(new ServerInfo(redis.ask("INFO server")));
            }
        } catch (IOException e) {
            throw failure(e.toString(), e);
        }
    }

    /** The client's way to it, if it runs, without starting it. */
    Optional<RedisUri> uriIfRunning() {
        try {
            return running().map(UsersServer::uri);
        } catch (IOException e) {
            throw failure(e.toString(), e);
        }
    }

    ServerFiles files() {
        return files;
    }

    /**
     * Ends it. What it knows of locks it has written down, and knows again when it is started next. It is then where it was:
     * somebody may be under a lock, and look for it there.
     *
     * @return whether it ran
     */
    boolean stop() {
        try {
            FileLock alone = lock(files.startLock(), false);
            try {
                return stopHere();
            } finally {
                alone.channel().close();
            }
        } catch (IOException e) {
            throw failure(e.toString(), e);
        }
    }

    private boolean stopHere() throws IOException {
        Optional<ServerFiles.Address> address = running();
        if (address.isEmpty()) {
            return false;
        }
        try (PlainRedis redis = PlainRedis.connect(address.get().port(), END_PATIENCE)) {
            redis.ask("AUTH " + address.get().password());
            // The connection ends when the process does.
            String refusal = redis.ask("SHUTDOWN NOSAVE");
            throw new IOException("it refused to end: " + refusal);
        } catch (SocketException | EOFException ended) {
            return true;
        } catch (SocketTimeoutException e) {
            throw new IOException("it was told to end a minute ago, and has not", e);
        }
    }

    /**
     * Ends it if no call of the command is under way. The answer of that question stays true until it has ended, because
     * those who come meanwhile wait.
     *
     * @param unlessHeld asked when nobody else is there: whether some lock is held
     * @return whether it does not run any more
     */
    boolean stopIfUnused(Predicate<RedisUri> unlessHeld) {
        try {
            FileLock alone = lockNow(files.presenceLock());
            if (alone == null) {
                files.noteUse();
                return false;
            }
            try {
                Optional<RedisUri> uri = uriIfRunning();
                if (uri.isPresent() && unlessHeld.test(uri.get())) {
                    files.noteUse();
                    return false;
                }
                stop();
                // Nobody is left who would look for it where it was.
                files.forgetAddress();
                return true;
            } finally {
                alone.channel().close();
            }
        } catch (IOException e) {
            throw failure(e.toString(), e);
        }
    }

    /** Waits for the lock, which lasts until its channel is closed or the process ends. */
    private static FileLock lock(Path file, boolean shared) throws IOException {
        return open(file).lock(0, Long.MAX_VALUE, shared);
    }

    private static @Nullable FileLock lockNow(Path file) throws IOException {
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
        return new CliException(ExitCode.UNREACHABLE, "the server of your own: " + message, cause);
    }
}
