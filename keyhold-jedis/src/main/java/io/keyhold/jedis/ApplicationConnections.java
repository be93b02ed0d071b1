package io.keyhold.jedis;

import java.time.Duration;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.util.Pool;

/** Lends the connections of a pool that belongs to the application, and leaves the pool as it is. */
final class ApplicationConnections implements ConnectionSource {

    /** How long to wait for a pool that would wait for ever, or not at all. */
    private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(2);

    private final Pool<Connection> pool;
    private final Duration patience;
    private volatile @Nullable String address;
    private volatile boolean closed;

    ApplicationConnections(Pool<Connection> pool) {
        Duration longest = pool.getMaxWaitDuration();
        this.pool = pool;
        this.patience = longest.isNegative() || longest.isZero() ? DEFAULT_PATIENCE : longest;
    }

    /** The pool does not tell, so it is learnt from the first connection. */
    @Override
    public String address() {
        String known = address;
        return known == null ? "the application's Redis" : known;
    }

    @Override
    public long borrowDeadline() {
        return System.nanoTime() + patience.toNanos();
    }

    @Override
    public Connection borrow(long deadline) {
        if (closed) {
            throw Failures.closed(address());
        }
        try {
            Connection connection = waitForConnection(deadline);
            if (address == null) {
                address = addressOf(connection);
            }
            return connection;
        } catch (NoSuchElementException e) {
            throw Failures.exhausted(address(), patience);
        } catch (Exception e) {
            throw Failures.whileConnecting(address(), e);
        }
    }

    private Connection waitForConnection(long deadline) throws Exception {
        boolean interrupted = false;
        try {
            while (true) {
                long left = deadline - System.nanoTime(); // Nothing, if the call has waited for a worker so long.
                if (left <= 0) {
                    throw new NoSuchElementException("the deadline has passed");
                }
                try {
                    return pool.borrowObject(Duration.ofNanos(left));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String addressOf(Connection connection) {
        try {
            return connection.getHostAndPort().toString();
        } catch (ClassCastException e) {
            return connection.toString(); // A socket factory of the application's own.
        }
    }

    @Override
    public void giveBack(Connection connection) {
        try {
            pool.returnObject(connection);
        } catch (RuntimeException e) {
            // The pool was closed meanwhile, and has closed the connection. The call itself went well.
        }
    }

    @Override
    public void discard(Connection connection) {
        try {
            pool.invalidateObject(connection);
        } catch (Exception e) {
            // The pool could not open another in its place. The next to ask will be told.
        }
    }

    /** Counted by the pool like any other. */
    @Override
    public Connection borrowToListen(long deadline) {
        return borrow(deadline);
    }

    @Override
    public void discardListening(Connection connection) {
        discard(connection);
    }

    @Override
    public void trim() {}

    @Override
    public void close() {
        closed = true;
    }
}
