package io.keyhold.jedis;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.DriverFailures;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.util.Pool;

/** Lends the connections of a pool that belongs to the application, and leaves the pool as it is. */
final class ApplicationConnections implements ConnectionSource {

    /** How long to wait for a pool that would wait for ever, or not at all. */
    private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(2);

    private final Pool<Connection> pool;
    private final Duration patience;
    /** When each connection was given back here. The pool does not tell, and the application's own use only makes it younger. */
    private final Map<Connection, Long> lastReplies = Collections.synchronizedMap(new WeakHashMap<>());

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
    public Duration borrowTimeout() {
        return patience;
    }

    @Override
    public Loan borrow(CallLane lane, long deadline) {
        while (true) {
            Connection connection = borrow(deadline);
            boolean lent = false;
            try {
                if (lane != CallLane.RELEASE || isAlive(connection, deadline)) {
                    lent = true;
                    return new Loan(connection, lane, 0);
                }
            } finally {
                if (!lent) {
                    discard(connection);
                }
            }
        }
    }

    private boolean isAlive(Connection connection, long deadline) {
        Long lastReply = lastReplies.get(connection);
        return (lastReply != null && !IdleCheck.isDue(lastReply)) || IdleCheck.passes(connection, deadline);
    }

    private Connection borrow(long deadline) {
        if (closed) {
            throw DriverFailures.closed(address());
        }
        try {
            Connection connection = waitForConnection(deadline);
            learnAddress(connection);
            return connection;
        } catch (NoSuchElementException e) {
            throw Failures.exhausted(address(), patience);
        } catch (Throwable e) {
            throw Failures.whileConnecting(address(), e);
        }
    }

    private void learnAddress(Connection connection) {
        if (address != null) {
            return;
        }
        try {
            address = addressOf(connection);
        } catch (Throwable e) {
            discard(connection); // Else the pool would miss it for ever.
            throw e;
        }
    }

    private Connection waitForConnection(long deadline) throws Exception {
        boolean interrupted = false;
        try {
            while (true) {
                long left = deadline - System.nanoTime(); // Nothing, if the check of another took so long.
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
    public void giveBack(Loan loan) {
        try {
            lastReplies.put(loan.connection(), System.nanoTime());
            pool.returnObject(loan.connection());
        } catch (RuntimeException e) {
            // The pool was closed meanwhile, and has closed the connection. The call itself went well.
        }
    }

    @Override
    public void discard(Loan loan) {
        discard(loan.connection());
    }

    /**
     * The idle ones too, because a pool that misses one opens another in its place at once, which may be too early. Those
     * that are in use are the application's business, and dropped here when they get such a reply.
     */
    @Override
    public void dropAll(Loan loan) {
        discard(loan);
        pool.clear();
    }

    private void discard(Connection connection) {
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
