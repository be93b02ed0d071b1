package io.keyhold.jedis;

import io.keyhold.spi.CallLane;
import io.keyhold.spi.DriverFailures;
import io.keyhold.spi.RedisUri;
import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;

/**
 * Connections of the driver's own: none until the first call, and back to one when there is little to do.
 *
 * <p>Each lane has permits of its own to have a connection, so that a lane that is full takes none from the others.
 * The connections themselves belong to no lane: what one has given back is lent to the next, and an idle client keeps
 * one for all. Releases have as many permits as requests, because what was acquired at some rate is released at that
 * rate too.
 *
 * <p>Not a Jedis {@code ConnectionPool}: when one connection breaks, the pool below it (commons-pool 2.13) opens
 * another at once, on the thread whose call has just failed, which then waits for a server that does not answer for the
 * connect timeout too.
 */
final class OwnConnections implements ConnectionSource {

    private static final long SURPLUS_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int RENEWALS_AT_ONCE = Workers.MOST;

    private final RedisUri uri;
    private final Connector connector;
    private final Map<CallLane, Semaphore> permits = new EnumMap<>(CallLane.class);
    /** The one that was used last comes first, so that those that are not needed grow old. */
    private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();

    private final Set<Connection> lent = ConcurrentHashMap.newKeySet();
    /** How often all connections were dropped. Those that were opened before the last time are not lent again. */
    private final AtomicInteger generation = new AtomicInteger();

    private volatile boolean closed;

    private record Idle(Connection connection, int generation, long since) {}

    OwnConnections(RedisUri uri) {
        this.uri = uri;
        this.connector = new Connector(uri, () -> closed);
        permits.put(CallLane.REQUEST, new Semaphore(uri.maxConnections(), true));
        permits.put(CallLane.RELEASE, new Semaphore(uri.maxConnections(), true));
        permits.put(CallLane.RENEWAL, new Semaphore(RENEWALS_AT_ONCE, true));
    }

    @Override
    public String address() {
        return uri.address();
    }

    @Override
    public Duration borrowTimeout() {
        return uri.connectTimeout();
    }

    @Override
    public Loan borrow(CallLane lane, long deadline) {
        if (closed) {
            throw DriverFailures.closed(address());
        }
        Semaphore permit = permits(lane);
        acquire(permit, deadline);
        try {
            Loan known = idle(lane, deadline);
            return known != null ? known : open(lane, deadline);
        } catch (Throwable e) {
            permit.release();
            throw closed ? DriverFailures.closed(address()) : Failures.whileConnecting(address(), e);
        }
    }

    private Semaphore permits(CallLane lane) {
        return Objects.requireNonNull(permits.get(lane));
    }

    /** Null if there is none, or if the one that was used last is dead: then the others most likely are too. */
    private @Nullable Loan idle(CallLane lane, long deadline) {
        Idle found = pollIdle();
        if (found == null) {
            return null;
        }
        Loan loan = lend(new Loan(found.connection(), lane, found.generation()));
        if (lane == CallLane.RELEASE
                && IdleCheck.isDue(found.since())
                && !IdleCheck.passes(found.connection(), deadline)) {
            close(found.connection());
            closeIdle();
            return null;
        }
        return loan;
    }

    private @Nullable Idle pollIdle() {
        Idle found = idle.pollFirst();
        while (found != null && found.generation() != generation.get()) {
            close(found.connection());
            found = idle.pollFirst();
        }
        return found;
    }

    private Loan open(CallLane lane, long deadline) {
        int current = generation.get(); // First: should all be dropped meanwhile, this may be one of them.
        return lend(new Loan(connector.connect(millisUntil(deadline)), lane, current));
    }

    private Loan lend(Loan loan) {
        lent.add(loan.connection());
        if (closed) { // Then close() may have missed it.
            close(loan.connection());
            throw DriverFailures.closed(address());
        }
        return loan;
    }

    @Override
    public Connection borrowToListen(long deadline) {
        try {
            return connector.connect(millisUntil(deadline));
        } catch (Throwable e) {
            throw closed ? DriverFailures.closed(address()) : Failures.whileConnecting(address(), e);
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

    private void acquire(Semaphore permits, long deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    long left = deadline - System.nanoTime();
                    if (!permits.tryAcquire(left, TimeUnit.NANOSECONDS)) {
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
    public void giveBack(Loan loan) {
        lent.remove(loan.connection());
        idle.addFirst(new Idle(loan.connection(), loan.generation(), System.nanoTime()));
        permits(loan.lane()).release();
        if (closed) {
            closeIdle();
        }
    }

    /** What broke one connection has most likely broken the idle ones too: better to open a new one than to try each. */
    @Override
    public void discard(Loan loan) {
        closeIdle();
        end(loan);
    }

    /** Once for each generation, because a reply on an old connection says nothing of those that were opened since. */
    @Override
    public void dropAll(Loan loan) {
        if (generation.compareAndSet(loan.generation(), loan.generation() + 1)) {
            closeIdle();
        }
        end(loan);
    }

    private void end(Loan loan) {
        close(loan.connection());
        permits(loan.lane()).release();
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
