package io.keyhold.jedis;

import io.keyhold.spi.BlockingConnection;
import io.keyhold.spi.BlockingConnections;
import io.keyhold.spi.CallLane;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.PooledConnection.Generation;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.Pool;

/**
 * Lends the connections of a pool that belongs to the application, and leaves the pool as it is. The pool may be replaced: a client of
 * sentinels has another one for each master, and a client of a cluster for each return of a node. There may be none in between.
 */
final class ApplicationConnections implements BlockingConnections {

    /** How long to wait for a pool that would wait indefinitely, or not at all. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** For how long a connection counts as silent that was not used here before. */
    private static final long LONG_NANOS = Duration.ofHours(1).toNanos();

    private final Supplier<Pool<Connection>> pools;
    private final Duration timeout;
    private volatile Pool<Connection> last;
    private volatile Runnable replaced = () -> {};
    /** When each connection was returned here. The pool does not say, and use by the application only makes it younger. */
    private final Map<Connection, Long> lastReplies = Collections.synchronizedMap(new WeakHashMap<>());

    private volatile @Nullable String address;
    private volatile boolean closed;

    /** A connection that is lent, and the pool to which it must be returned. */
    private static final class Lent extends JedisConnection {

        private final Pool<Connection> pool;

        Lent(Connection jedis, Pool<Connection> pool, String address, long lastReply) {
            super(jedis, address, null, new Generation(), lastReply);
            this.pool = pool;
        }
    }

    ApplicationConnections(Supplier<Pool<Connection>> pools) {
        this.pools = pools;
        this.last = pools.get();
        Duration longest = last.getMaxWaitDuration();
        this.timeout = longest.isNegative() || longest.isZero() ? DEFAULT_TIMEOUT : longest;
    }

    /** Sets what runs when the pool turns out to be another one. */
    void onReplaced(Runnable action) {
        replaced = action;
    }

    /** The pool does not tell, so it is learnt from the first connection. */
    @Override
    public String address() {
        String known = address;
        return known == null ? "the application's Redis" : known;
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public BlockingConnection borrow(CallLane lane) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            BlockingConnection connection = borrow(deadline);
            if (BlockingConnections.uninterrupted(() -> connection.isAliveFor(lane, deadline))) {
                return connection;
            }
            discard(connection);
        }
    }

    /** Counted by the pool like any other. */
    @Override
    public BlockingConnection borrowForSubscription() {
        return borrow(System.nanoTime() + timeout.toNanos());
    }

    private BlockingConnection borrow(long deadline) {
        if (closed) {
            throw DriverFailures.closed(address());
        }
        try {
            Pool<Connection> pool = pool();
            return lend(waitForConnection(pool, deadline), pool);
        } catch (NoSuchElementException e) {
            throw DriverFailures.exhausted(address(), timeout);
        } catch (JedisDataException e) {
            throw Protocol.error(e); // The server refused AUTH or SELECT.
        } catch (Throwable e) {
            throw DriverFailures.cannotConnect(address(), e);
        }
    }

    private Pool<Connection> pool() {
        Pool<Connection> pool = pools.get();
        if (pool != last) {
            last = pool;
            address = null;
            replaced.run();
        }
        return pool;
    }

    private static Connection waitForConnection(Pool<Connection> pool, long deadline) throws Exception {
        boolean interrupted = Thread.interrupted(); // Of an earlier wait; the pool may open a connection now.
        try {
            while (true) {
                long left = deadline - System.nanoTime(); // None, if checking another connection took all the time.
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

    private Lent lend(Connection jedis, Pool<Connection> pool) {
        try {
            if (address == null) {
                address = addressOf(jedis);
            }
            return new Lent(jedis, pool, address(), lastReplies.getOrDefault(jedis, System.nanoTime() - LONG_NANOS));
        } catch (Throwable e) {
            invalidate(jedis, pool); // Otherwise the pool would miss it.
            throw e;
        }
    }

    /** Jedis 7 tells it only as text, such as {@code Connection{DefaultJedisSocketFactory{localhost:6379}}}. */
    private static String addressOf(Connection connection) {
        return connection.toString().replaceAll(".*\\{|}.*", "");
    }

    /**
     * When the server is unavailable, the idle connections are closed too, because a pool that misses one opens another in
     * its place at once, which may be too early. Those in use are closed when they get such a reply.
     */
    @Override
    public void release(CallLane lane, BlockingConnection connection) {
        Lent lent = (Lent) connection;
        if (!lent.isUsable()) {
            discard(lent);
            if (!lent.isBroken()) {
                lent.pool.clear();
            }
            return;
        }
        lastReplies.put(lent.jedis, lent.lastReply());
        try {
            lent.pool.returnObject(lent.jedis);
        } catch (RuntimeException e) {
            // The pool was closed meanwhile, and has closed the connection. The call itself succeeded.
        }
    }

    @Override
    public void discard(BlockingConnection connection) {
        Lent lent = (Lent) connection;
        invalidate(lent.jedis, lent.pool);
    }

    private static void invalidate(Connection jedis, Pool<Connection> pool) {
        try {
            pool.invalidateObject(jedis);
        } catch (Exception e) {
            // The pool could not open another in its place. The next call will fail with the reason.
        }
    }

    /** Closes nothing, but finds out whether the pool was replaced. */
    @Override
    public void trim() {
        if (closed) {
            return;
        }
        try {
            pool();
        } catch (RuntimeException e) {
            // There is none now. The next call will fail with the reason.
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
