package io.keyhold.jedis;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.ConnectionPool;
import io.keyhold.spi.Credentials;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Connections of the driver's own: none until the first call, and back to one when there is little to do.
 *
 * <p>Not a Jedis {@code ConnectionPool}: when one connection breaks, the pool below it (commons-pool 2.13) opens another at
 * once, on the thread whose call has just failed, which then waits for an unreachable server for the connect timeout too.
 */
final class OwnConnections implements Connections {

    private final RedisUri uri;
    private final ConnectionPool<JedisConnection> pool;

    OwnConnections(RedisUri uri) {
        this.uri = uri;
        this.pool = new ConnectionPool<>(uri.maxConnections());
    }

    @Override
    public String address() {
        return uri.address();
    }

    @Override
    public Duration timeout() {
        return uri.connectTimeout();
    }

    @Override
    public JedisConnection borrow(CallLane lane) {
        if (pool.isClosed()) {
            throw DriverFailures.closed(address());
        }
        long deadline = deadline();
        if (!pool.await(lane, deadline)) {
            throw DriverFailures.exhausted(address(), timeout());
        }
        try {
            return idleOrNew(lane, deadline);
        } catch (Throwable e) {
            pool.release(lane);
            throw e;
        }
    }

    @Override
    public @Nullable JedisConnection borrowNow(CallLane lane) {
        if (uri.tls() || pool.isClosed() || !pool.tryReserve(lane)) {
            return null;
        }
        JedisConnection idle = pool.pollIdle();
        if (idle == null) {
            pool.release(lane);
        } else if (lane == CallLane.RELEASE && !idle.hasJustReplied(System.nanoTime())) {
            pool.giveBack(lane, idle); // It has to be asked with PING first.
        } else {
            return idle;
        }
        return null;
    }

    private JedisConnection idleOrNew(CallLane lane, long deadline) {
        JedisConnection idle = pool.pollIdle();
        if (idle != null && (lane != CallLane.RELEASE || idle.isAlive(deadline))) {
            return idle;
        }
        if (idle != null) {
            pool.discard(idle);
        }
        JedisConnection opened = open(deadline);
        if (!pool.add(opened)) {
            throw DriverFailures.closed(address());
        }
        return opened;
    }

    /**
     * Opens a connection. Each step of it (TCP, TLS, AUTH, SELECT…) may take the time that is left: a server that does not
     * reply fails the first of them. From then on the command timeout holds, for each piece of a reply.
     */
    private JedisConnection open(long deadline) {
        int generation = pool.generation(); // First: if it ends meanwhile, this may be a connection to the old server.
        Credentials credentials = uri.credentials().orElse(null);
        try {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            JedisClientConfig settings = new ConnectionSettings(uri, credentials, (int) Math.max(1, millis));
            SocketOpener opener = new SocketOpener(uri, settings, pool::isClosed);
            Connection jedis = uri.tls() ? new Connection(opener, settings) : new PlainConnection(opener, settings);
            jedis.setSoTimeout(Math.toIntExact(uri.commandTimeout().toMillis()));
            return new JedisConnection(jedis, address(), generation, System.nanoTime());
        } catch (JedisDataException e) {
            throw Protocol.error(e); // The server refused AUTH or SELECT.
        } catch (Throwable e) {
            throw pool.isClosed() ? DriverFailures.closed(address()) : DriverFailures.cannotConnect(uri, e);
        }
    }

    private long deadline() {
        return System.nanoTime() + timeout().toNanos();
    }

    @Override
    public void giveBack(CallLane lane, JedisConnection connection) {
        if (connection.isNotServing()) {
            pool.endGeneration(connection);
        }
        pool.giveBack(lane, connection);
    }

    /** Not counted among those for calls, nor closed with them: the driver closes its subscriptions. */
    @Override
    public JedisConnection borrowForSubscription() {
        return open(deadline());
    }

    @Override
    public void discard(JedisConnection connection) {
        connection.close();
    }

    @Override
    public void trim() {
        pool.trim(1);
    }

    @Override
    public void close() {
        pool.close();
    }
}
