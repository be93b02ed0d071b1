package io.keyhold.spi;

/** A connection as a {@link ConnectionPool} sees it. */
public interface PooledConnection {

    /** {@return whether nothing may be sent on it any more; once true, it stays true} */
    boolean isBroken();

    /** {@return the {@link ConnectionPool#generation()} that was read before it was opened} */
    int generation();

    /** {@return when it was opened or the server last replied on it, by {@link System#nanoTime()}} */
    long lastReply();

    /** Marks it as broken and closes it, from any thread and without waiting. Closing twice is harmless. */
    void close();
}
