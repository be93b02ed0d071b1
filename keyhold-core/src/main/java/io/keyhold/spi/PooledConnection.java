package io.keyhold.spi;

/** A connection as a {@link ConnectionPool} sees it. */
public abstract class PooledConnection {

    private final int generation;
    private volatile long lastReply;
    private volatile boolean broken;

    /**
     * Creates what the pool knows about a connection.
     *
     * @param generation the {@link ConnectionPool#generation()} that was read before it was opened
     * @param lastReply when it was opened or the server last replied on it, by {@link System#nanoTime()}
     */
    protected PooledConnection(int generation, long lastReply) {
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

    final int generation() {
        return generation;
    }

    /** {@return when it was opened or the server last replied on it, by {@link System#nanoTime()}} */
    public long lastReply() {
        return lastReply;
    }

    /** Notes that the server has just replied on it. */
    protected final void noteReply() {
        lastReply = System.nanoTime();
    }

    /** Marks it as broken and closes it, from any thread and without waiting. Closing twice is harmless. */
    public abstract void close();
}
