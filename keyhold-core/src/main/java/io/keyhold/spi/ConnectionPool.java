package io.keyhold.spi;

import io.keyhold.spi.PooledConnection.Generation;
import java.time.Duration;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Connections of a driver that are used by one call or session at a time. Each {@link CallLane} has a limit of its own,
 * so that a lane that is full takes no connection from the others. The connections belong to no lane: all share one stack
 * of idle ones. For driver authors.
 *
 * <p>The pool opens nothing. A driver first reserves a place, then takes an idle connection or opens one, and releases both:
 *
 * <pre>{@code
 * pool.await(lane, deadline);              // or reserve(lane, timeout), which blocks no thread, or tryReserve(lane)
 * C connection = pool.pollIdle();          // null: open one and add() it; if that fails, releasePlace(lane)
 * ...
 * pool.release(lane, connection);
 * }</pre>
 *
 * <p>Thread-safe. Where no call has to wait for a place or to open a connection, there are no locks.
 *
 * @param <C> the driver's connection
 */
public final class ConnectionPool<C extends PooledConnection> {

    private static final int MAX_RENEWALS = 8;

    private final Map<CallLane, PoolLimit> limits = new EnumMap<>(CallLane.class);
    private final Set<C> open = ConcurrentHashMap.newKeySet();

    /** Used as a stack: the one used last is the first, so that those that are not needed grow old. */
    private final Deque<C> idle = new ConcurrentLinkedDeque<>();

    private Generation generation = new Generation();
    private final LastReply lastReply = new LastReply();
    private volatile boolean closed;

    /**
     * Creates an empty pool.
     *
     * @param maxConnections the limit for requests, and again for releases, because what is acquired at some rate is
     *     released at that rate too; renewals have eight
     */
    public ConnectionPool(int maxConnections) {
        limits.put(CallLane.REQUEST, new PoolLimit(maxConnections));
        limits.put(CallLane.RELEASE, new PoolLimit(maxConnections));
        limits.put(CallLane.RENEWAL, new PoolLimit(MAX_RENEWALS));
    }

    /**
     * Reserves a place on the calling thread, first come, first served. Waits through interrupts, because the interrupted
     * thread may be about to release a lock, and keeps them, so that a connection is then opened {@link BlockingConnections#uninterrupted}.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return whether there was a place before the deadline
     */
    public boolean await(CallLane lane, long deadline) {
        CompletableFuture<Boolean> place = limit(lane).acquire();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return place.isDone() || place.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    return !place.cancel(false); // It may have got the place meanwhile.
                } catch (ExecutionException e) {
                    throw new AssertionError("only the waiting thread cancels it", e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Reserves a place without blocking a thread, first come, first served.
     *
     * @param timeout for how long no connection may be returned in good order: a long queue that moves is waited for, a
     *     server that does not reply is not
     * @return completes with true when the place is reserved, or with a {@link TimeoutException}
     */
    public CompletableFuture<Boolean> reserve(CallLane lane, Duration timeout) {
        CompletableFuture<Boolean> place = limit(lane).acquire();
        if (!place.isDone()) {
            try {
                failInSilence(place, System.nanoTime(), timeout.toNanos(), timeout.toNanos());
            } catch (Throwable e) { // No thread is left. The place would go to a call that does not know of it.
                place.completeExceptionally(e);
            }
        }
        return place;
    }

    private void failInSilence(CompletableFuture<Boolean> place, long since, long timeout, long delay) {
        CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS, Runnable::run)
                .execute(() -> {
                    long left = timeout - lastReply.silence(since);
                    if (left <= 0) {
                        place.completeExceptionally(new TimeoutException());
                    } else if (!place.isDone()) {
                        failInSilence(place, since, timeout, left);
                    }
                });
    }

    /** Reserves a place if one is free now and no call waits for one, and returns whether it did. */
    public boolean tryReserve(CallLane lane) {
        return limit(lane).acquireNow();
    }

    /** Gives up a place for which there is no connection. */
    public void releasePlace(CallLane lane) {
        limit(lane).release();
    }

    private PoolLimit limit(CallLane lane) {
        return Objects.requireNonNull(limits.get(lane));
    }

    /** Takes the idle connection that was used last, or returns null if there is none. */
    public @Nullable C pollIdle() {
        C top = idle.pollFirst();
        while (top != null && !top.isUsable()) {
            close(top);
            top = idle.pollFirst();
        }
        return top;
    }

    /**
     * Adds a connection that was just opened and is in use, so that {@link #close} closes it. Closes it and returns false if the
     * pool is closed. Not needed where the driver's client closes its connections itself.
     */
    public boolean add(C connection) {
        open.add(connection);
        if (closed) { // Then close() may have missed it.
            close(connection);
        }
        return !closed;
    }

    /**
     * Takes back a connection, in any state, and its place. One that is broken is closed with all idle ones: what broke it has most likely
     * broken those too, and opening one is better than trying each.
     */
    public void release(CallLane lane, C connection) {
        if (connection.isUsable()) {
            lastReply.note(connection);
            idle.addFirst(connection);
        } else {
            discard(connection);
        }
        releasePlace(lane);
    }

    /** Closes a connection that was taken, and keeps its place. If it is broken, closes all idle ones too. */
    public void discard(C connection) {
        boolean broken = connection.isBroken();
        close(connection);
        if (broken) {
            for (C each = idle.pollFirst(); each != null; each = idle.pollFirst()) {
                close(each);
            }
        }
    }

    /** {@return to which a new connection belongs; read before it is opened: if it ends meanwhile, the connection may lead to the old server} */
    public synchronized Generation generation() {
        if (generation.hasEnded()) {
            generation = new Generation();
        }
        return generation;
    }

    /** Closes connections that have been idle for five seconds, except the {@code spare} ones used last. */
    public void trim(int spare) {
        int kept = 0;
        for (C each : idle) {
            if (kept++ >= spare && each.isSurplus() && idle.removeLastOccurrence(each)) { // False: a call has taken it.
                close(each);
            }
        }
    }

    /** {@return whether {@link #close} was called} */
    public boolean isClosed() {
        return closed;
    }

    /** Closes all connections that were added, also those in use, which fails the calls that wait for replies on them. */
    public void close() {
        closed = true;
        open.forEach(this::close);
    }

    private void close(C connection) {
        open.remove(connection);
        connection.close();
    }
}
