package io.keyhold.embedded;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A real redis-server, running as a child of this JVM.
 *
 * <pre>{@code
 * try (EmbeddedRedis redis = EmbeddedRedis.start()) {
 *     connect(redis.uri());   // redis://127.0.0.1:23456
 * }
 * }</pre>
 *
 * <p>The executable is the one that the environment variable {@code KEYHOLD_REDIS_SERVER} names; else {@code
 * redis-server} or {@code valkey-server} from the {@code PATH}; else Redis 7.0.15 from the jar {@code
 * org.signal:embedded-redis}, for Linux and macOS.
 *
 * <p>The server ends with this JVM, also when the JVM is killed. All methods may be called from any thread.
 */
public final class EmbeddedRedis implements AutoCloseable {
    static final String HOST = "127.0.0.1";

    private final ServerLauncher launcher;
    private final Thread shutdownHook = new Thread(this::end, "keyhold-embedded-shutdown");
    private volatile ServerProcess process;
    private volatile boolean paused;
    private boolean closed;

    private EmbeddedRedis(ServerLauncher launcher, ServerProcess process) {
        this.launcher = launcher;
        this.process = process;
    }

    /**
     * Starts a server on a free port of 127.0.0.1, which writes nothing to the disk ({@code save ""}, {@code appendonly
     * no}), has a temporary directory of its own, and has thirty seconds to reply.
     *
     * @throws EmbeddedRedisException if there is no server to run, or if it does not start
     */
    public static EmbeddedRedis start() {
        return builder().start();
    }

    /** Starts a server that differs from the one of {@link #start()}. */
    public static EmbeddedRedisBuilder builder() {
        return new EmbeddedRedisBuilder(Ports::chooseFree);
    }

    /**
     * Returns the program that {@link #start()} would run, to run it in another way. One from the jar is copied to the
     * user's cache folder first.
     *
     * @throws EmbeddedRedisException if there is none
     */
    public static Path findExecutable() {
        return new ServerFinder(HostEnvironment.current()).find();
    }

    /**
     * Returns where a program from the jar is kept between runs, and where others may keep what belongs to their server: {@code
     * keyhold} below the folder that the environment variable {@code XDG_CACHE_HOME} names, else below {@code .cache} in
     * {@code HOME}, else in the system property {@code user.home}. Only absolute paths count, as the XDG specification
     * wants it.
     *
     * @return empty if none of them is an absolute path
     */
    public static Optional<Path> cacheDirectory() {
        return HostEnvironment.current().cache();
    }

    static EmbeddedRedis start(ServerLauncher launcher) {
        EmbeddedRedis redis = new EmbeddedRedis(launcher, launcher.launch());
        try {
            Runtime.getRuntime().addShutdownHook(redis.shutdownHook);
        } catch (IllegalStateException jvmIsShuttingDown) {
            redis.end();
            throw jvmIsShuttingDown;
        }
        return redis;
    }

    /** Returns the address it listens on: 127.0.0.1. */
    public String host() {
        return HOST;
    }

    /** Returns the port it listens on, which does not change when it is restarted. */
    public int port() {
        return launcher.port();
    }

    /** Returns where to connect to, as {@code redis://127.0.0.1:PORT}. Contains no password. */
    public String uri() {
        return "redis://" + HOST + ":" + port();
    }

    /**
     * Returns the port for TLS, which does not change when the server is restarted.
     *
     * @throws IllegalStateException if it was started without {@link EmbeddedRedisBuilder#tls}
     */
    public int tlsPort() {
        if (launcher.tlsPort() == 0) {
            throw new IllegalStateException(this + " was started without TLS");
        }
        return launcher.tlsPort();
    }

    /**
     * Returns where to connect to with TLS, as {@code rediss://127.0.0.1:PORT}.
     *
     * @throws IllegalStateException if it was started without {@link EmbeddedRedisBuilder#tls}
     */
    public String tlsUri() {
        return "rediss://" + HOST + ":" + tlsPort();
    }

    /** Returns the id of the server's process: of the last one, if it is not running. */
    public long pid() {
        return process.pid();
    }

    /** Returns where it keeps its files, and its output in {@code embedded-redis.log}. */
    public Path directory() {
        return launcher.directory().path();
    }

    /** Returns the program that runs. */
    public Path executable() {
        return launcher.executable();
    }

    /** Returns whether the process exists. A paused one does. */
    public boolean isRunning() {
        return process.isAlive();
    }

    /**
     * Stops the process (SIGSTOP), as a long pause of the machine would: connections stay open without a
     * reply. Returns when it is really stopped; outside Linux, when the signal has been sent.
     *
     * @throws IllegalStateException if the server is not running
     */
    public synchronized void pause() {
        requireRunning();
        paused = true;
        ProcessFreezer.freeze(process);
    }

    /**
     * Lets a paused process go on (SIGCONT).
     *
     * @throws IllegalStateException if the server is not running
     */
    public synchronized void resume() {
        requireRunning();
        ProcessFreezer.thaw(process);
        paused = false;
    }

    String lastOutput() {
        return process.lastOutput();
    }

    boolean isPaused() {
        return paused;
    }

    /** Crashes the server (SIGKILL) and waits for its end. Does nothing if it is not running. */
    public synchronized void kill() {
        process.kill();
    }

    /**
     * Starts the server again, on the same port, with the same configuration and in the same directory; crashes it first
     * ({@link #kill()}) if it is running. What it remembers is what it has written to the disk. A changed configuration is
     * kept only after {@code CONFIG REWRITE}.
     *
     * @throws EmbeddedRedisException if it does not start again
     * @throws IllegalStateException if this has been closed
     */
    public synchronized void restart() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        process.kill();
        paused = false;
        process = launcher.launchAgain();
    }

    /** Ends the server at once, and deletes its directory if that was a temporary one. */
    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException jvmIsShuttingDown) {
            // Then the hook finds nothing to do.
        }
    }

    private synchronized void end() {
        closed = true;
        process.kill();
        launcher.directory().deleteIfTemporary();
        launcher.releasePorts();
    }

    private void requireRunning() {
        if (!isRunning()) {
            throw new IllegalStateException(this + " is not running");
        }
    }

    @Override
    public String toString() {
        return "EmbeddedRedis[" + uri() + ", pid " + pid() + "]";
    }
}
