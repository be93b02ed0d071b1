package io.keyhold.spi;

import java.time.Duration;

/** A connection as a {@link ConnectionPool} sees it. */
public abstract class PooledConnection {

    private static final long MOMENT_NANOS = Duration.ofMillis(10).toNanos();
    private static final long SURPLUS_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    private final Generation generation;
    private volatile long lastReply;
    private volatile boolean broken;

    /** Connections of which none is used again after the server said on one of them that it is unavailable. */
    public static final class Generation {

        private volatile boolean ended;

        /** Creates a generation without connections. */
        public Generation() {}

        boolean hasEnded() {
            return ended;
        }
    }

    /**
     * Creates what the pool knows about a connection.
     *
     * @param generation the {@link ConnectionPool#generation()} that was read before it was opened
     * @param lastReply when it was opened or the server last replied on it, by {@link System#nanoTime()}
     */
    protected PooledConnection(Generation generation, long lastReply) {
        this.generation = generation;
        this.lastReply = lastReply;
    }

    /** {@return whether nothing may be sent on it any more; once true, it stays true} */
    public boolean isBroken() {
        return broken;
    }

    /** Lets nothing more be sent on it. */
    protected final void markBroken() {
        broken = true;
    }

    /** {@return whether it may be used again: it is neither broken nor of a generation that has ended} */
    public final boolean isUsable() {
        return !generation.ended && !isBroken();
    }

    /** {@return when it was opened or the server last replied on it, by {@link System#nanoTime()}} */
    public long lastReply() {
        return lastReply;
    }

    /** {@return whether it may be closed when it is idle: the server has not replied on it for five seconds} */
    public final boolean isSurplus() {
        return System.nanoTime() - lastReply() >= SURPLUS_AFTER_NANOS;
    }

    /** Notes that the server has just replied on it. */
    protected final void noteReply() {
        lastReply = System.nanoTime();
    }

    /**
     * Notes an error reply. If it says that the server is {@linkplain RedisErrorException#isServerUnavailable() unavailable}, the generation of
     * this connection ends. It says nothing about connections that were opened since, which are of another generation.
     */
    protected final void noteError(RedisErrorException error) {
        if (error.isServerUnavailable()) {
            generation.ended = true;
        }
    }

    /**
     * Returns whether the server must be asked with {@code PING} before a call of this lane is sent: before a release, unless the server
     * has replied a moment ago. Nothing less is certain: a close by the server may be unnoticed yet, and a machine that was restarted, or a
     * firewall that has forgotten the connection, shows only when something is sent. Any reply will do, an error included. A driver
     * waits for it for half of the connect timeout at most, so that it can still open another connection.
     */
    public final boolean needsPing(CallLane lane) {
        return lane == CallLane.RELEASE && System.nanoTime() - lastReply() > MOMENT_NANOS;
    }

    /** Marks it as broken and closes it, from any thread and without waiting. Closing twice is harmless. */
    public abstract void close();
}
