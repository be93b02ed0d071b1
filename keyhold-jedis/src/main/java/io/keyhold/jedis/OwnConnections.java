package io.keyhold.jedis;

import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Connection;

/**
 * Connections of the driver's own: none until the first call, and back to one when there is little to do.
 *
 * <p>Not a Jedis {@code ConnectionPool}: when one connection breaks, the pool below it (commons-pool 2.13) opens
 * another at once, on the thread whose call has just failed, which then waits for a server that does not answer for the
 * connect timeout too.
 */
final class OwnConnections implements ConnectionSource {

    private static final long SURPLUS_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    private final RedisUri uri;
    private final Connector connector;
    private final Semaphore permits;
    /** The one that was used last comes first, so that those that are not needed grow old. */
    private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();

    private final Set<Connection> lent = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private record Idle(Connection connection, long since) {}

    OwnConnections(RedisUri uri) {
        this.uri = uri;
        this.connector = new Connector(uri, () -> closed);
        this.permits = new Semaphore(uri.maxConnections(), true);
    }

    @Override
    public String address() {
        return uri.address();
    }

    @Override
    public long borrowDeadline() {
        return System.nanoTime() + uri.connectTimeout().toNanos();
    }

    @Override
    public Connection borrow(long deadline) {
        if (closed) {
            throw Failures.closed(address());
        }
        acquirePermit(deadline);
        try {
            Idle found = idle.pollFirst();
            Connection connection = found != null ? found.connection() : connector.connect(millisUntil(deadline));
            lent.add(connection);
            if (closed) { // Then close() may have missed it.
                close(connection);
                throw Failures.closed(address());
            }
            return connection;
        } catch (Throwable e) {
            permits.release();
            throw closed ? Failures.closed(address()) : Failures.whileConnecting(address(), e);
        }
    }

    @Override
    public Connection borrowToListen(long deadline) {
        try {
            return connector.connect(millisUntil(deadline));
        } catch (Throwable e) {
            throw closed ? Failures.closed(address()) : Failures.whileConnecting(address(), e);
        }
    }

    /** The driver knows its subscriptions and ends them, so these connections are not noted here. */
    @Override
    public void discardListening(Connection connection) {
        close(connection);
    }

    private static int millisUntil(long deadline) {
        return Math.max(1, Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
    }

    private void acquirePermit(long deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    long left = deadline - System.nanoTime(); // Nothing, if the call has waited for a worker so long.
                    if (left <= 0 || !permits.tryAcquire(left, TimeUnit.NANOSECONDS)) {
                        throw Failures.exhausted(address(), uri.connectTimeout());
                    }
                    return;
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

    @Override
    public void giveBack(Connection connection) {
        lent.remove(connection);
        idle.addFirst(new Idle(connection, System.nanoTime()));
        permits.release();
        if (closed) {
            closeIdle();
        }
    }

    /** What broke one connection has most likely broken the idle ones too: better to open a new one than to try each. */
    @Override
    public void discard(Connection connection) {
        close(connection);
        closeIdle();
        permits.release();
    }

    /** From the oldest on. The last one stays, whatever its age. */
    @Override
    public void trim() {
        while (idle.size() > 1) {
            Idle oldest = idle.peekLast();
            if (oldest == null || System.nanoTime() - oldest.since() < SURPLUS_AFTER_NANOS) {
                return;
            }
            if (idle.removeLastOccurrence(oldest)) { // Else it has just been borrowed.
                close(oldest.connection());
            }
        }
    }

    /** Wakes the threads that wait for replies, by closing what they read from. */
    @Override
    public void close() {
        closed = true;
        closeIdle();
        lent.forEach(this::close);
    }

    private void closeIdle() {
        for (Idle found = idle.pollFirst(); found != null; found = idle.pollFirst()) {
            close(found.connection());
        }
    }

    private void close(Connection connection) {
        lent.remove(connection);
        try {
            connection.forceDisconnect();
        } catch (IOException e) {
            // Declared, but not thrown: Jedis closes the socket quietly.
        }
    }
}
