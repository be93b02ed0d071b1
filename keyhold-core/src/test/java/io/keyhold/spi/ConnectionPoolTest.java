package io.keyhold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionPoolTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final CallLane LANE = CallLane.REQUEST;

    private final ConnectionPool<FakeConnection> pool = new ConnectionPool<>(2);
    private final RedisErrorException unavailable = new RedisErrorException("READONLY by now");

    @Test
    void idleConnectionThatWasUsedLastIsTakenFirst() {
        FakeConnection first = open();
        FakeConnection second = open();
        pool.release(LANE, first);
        pool.release(LANE, second);
        assertThat(pool.pollIdle()).isSameAs(second);
        assertThat(pool.pollIdle()).isSameAs(first);
        assertThat(pool.pollIdle()).isNull();
    }

    @Test
    void placesAreGivenInOrder() {
        FakeConnection connection = open();
        open();
        List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiters.add(pool.reserve(LANE, LONG));
        }
        assertThat(waiters).noneMatch(CompletableFuture::isDone);
        pool.release(LANE, connection);
        assertThat(waiters.get(0)).isDone();
        pool.releasePlace(LANE);
        assertThat(waiters.get(1)).isDone();
        assertThat(waiters.get(2)).isNotDone();
    }

    @Test
    void lanesHaveSeparateCapacity() {
        open();
        open();
        assertThat(pool.await(LANE, System.nanoTime())).isFalse();
        assertThat(pool.await(CallLane.RELEASE, System.nanoTime())).isTrue();
        assertThat(pool.await(CallLane.RENEWAL, System.nanoTime())).isTrue();
    }

    @Test
    void waiterThatGaveUpTakesNoPlace() {
        open();
        open();
        assertThat(pool.await(LANE, System.nanoTime())).isFalse();
        CompletableFuture<Boolean> next = pool.reserve(LANE, LONG);
        pool.releasePlace(LANE);
        assertThat(next).isCompletedWithValue(true);
    }

    @Test
    void interruptedWaiterContinuesAndKeepsInterrupt() {
        open();
        open();
        Thread.currentThread().interrupt();
        assertThat(pool.await(LANE, System.nanoTime() + Duration.ofMillis(1).toNanos()))
                .isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void reservationFailsWhenNothingIsReturnedInTime() {
        open();
        open();
        assertThatThrownBy(pool.reserve(LANE, Duration.ofMillis(1))::join).hasCauseInstanceOf(TimeoutException.class);
    }

    /** A time that is too long for the JDK, as where the system has no thread left. */
    @Test
    void waiterWhoseTimeoutCannotBeScheduledTakesNoPlace() {
        open();
        open();
        assertThat(pool.reserve(LANE, Duration.ofSeconds(Long.MAX_VALUE))).isCompletedExceptionally();
        pool.releasePlace(LANE);
        assertThat(pool.tryReserve(LANE)).isTrue();
    }

    @Test
    void waitersThatReleaseAtOnceDoNotGrowStack() {
        open();
        open();
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            done.add(pool.reserve(LANE, LONG).thenRun(() -> pool.releasePlace(LANE)));
        }
        pool.releasePlace(LANE);
        assertThat(done).allMatch(waiter -> waiter.isDone() && !waiter.isCompletedExceptionally());
    }

    @Test
    void brokenConnectionIsClosedWithAllIdleOnes() {
        FakeConnection idle = open();
        FakeConnection broken = open();
        pool.release(LANE, idle);
        broken.markBroken();
        pool.release(LANE, broken);
        assertThat(List.of(idle, broken)).allMatch(FakeConnection::isClosed);
        assertThat(pool.pollIdle()).isNull();
    }

    @Test
    void connectionsOfEndedGenerationAreNotReused() {
        FakeConnection idle = open();
        FakeConnection used = open();
        pool.release(LANE, idle);
        used.noteError(unavailable);
        FakeConnection next = open();
        used.noteError(unavailable); // Says nothing about the connection that was opened since.
        pool.release(LANE, used);
        assertThat(used.isClosed()).isTrue();
        pool.release(LANE, next);
        assertThat(pool.pollIdle()).isSameAs(next);
        assertThat(pool.pollIdle()).isNull();
        assertThat(idle.isClosed()).isTrue();
    }

    @Test
    void trimKeepsOneSpareConnection() {
        FakeConnection oldest = open();
        FakeConnection old = open();
        pool.release(LANE, oldest);
        pool.release(LANE, old);
        pool.trim(0);
        assertThat(List.of(oldest, old)).noneMatch(FakeConnection::isClosed);
        oldest.age(Duration.ofSeconds(5));
        old.age(Duration.ofSeconds(5));
        pool.trim(1);
        assertThat(oldest.isClosed()).isTrue();
        assertThat(old.isClosed()).isFalse();
        pool.trim(0);
        assertThat(old.isClosed()).isTrue();
        assertThat(pool.pollIdle()).isNull();
    }

    @Test
    void closeClosesConnectionsInUseAndLaterOnes() {
        FakeConnection used = open();
        FakeConnection idle = open();
        pool.release(LANE, idle);
        pool.close();
        FakeConnection late = new FakeConnection(pool.generation());
        assertThat(pool.add(late)).isFalse();
        assertThat(List.of(used, idle, late)).allMatch(FakeConnection::isClosed);
    }

    @Test
    void slotFreedAtSameMomentIsNotMissed() throws Exception {
        open();
        open();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        CyclicBarrier together = new CyclicBarrier(2);
        try {
            for (int round = 0; round < 5_000; round++) {
                Future<?> release = executor.submit(() -> {
                    together.await();
                    pool.releasePlace(LANE);
                    return true;
                });
                together.await();
                CompletableFuture<Boolean> place = pool.reserve(LANE, LONG);
                release.get();
                assertThat(place).isDone();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    /** All operations of the pool at the same time. Every connection has one user, and no slot is lost or doubled. */
    @Test
    void manyThreadsShareFewConnections() throws Exception {
        int threads = 12;
        AtomicInteger inUse = new AtomicInteger();
        ExecutorService executor = Executors.newFixedThreadPool(threads + 1);
        try {
            List<Future<?>> users = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                users.add(executor.submit(() -> {
                    for (int round = 0; round < 1_000; round++) {
                        useOnce(inUse, number + round);
                    }
                    return true;
                }));
            }
            AtomicBoolean done = new AtomicBoolean();
            Future<?> trimming = executor.submit(() -> {
                for (int round = 0; !done.get(); round++) {
                    pool.trim(round % 3);
                }
            });
            for (Future<?> user : users) {
                user.get();
            }
            done.set(true);
            trimming.get();
        } finally {
            executor.shutdownNow();
        }
        for (int i = 0; i < 2; i++) {
            assertThat(pool.reserve(LANE, LONG)).isDone();
        }
        assertThat(pool.reserve(LANE, LONG)).isNotDone();
    }

    private void useOnce(AtomicInteger inUse, int seed) throws Exception {
        if (seed % 5 == 0) {
            pool.reserve(LANE, LONG).get();
        } else {
            long timeout = seed % 7 == 0 ? 1_000 : LONG.toNanos();
            if (!pool.await(LANE, System.nanoTime() + timeout)) {
                return;
            }
        }
        assertThat(inUse.incrementAndGet()).isLessThanOrEqualTo(2);
        FakeConnection connection = pool.pollIdle();
        if (connection == null) {
            connection = new FakeConnection(pool.generation());
            pool.add(connection);
        }
        assertThat(connection.users.incrementAndGet()).isEqualTo(1);
        assertThat(connection.isClosed()).isFalse();
        if (seed % 11 == 0) {
            connection.markBroken();
        } else if (seed % 13 == 0) {
            connection.noteError(unavailable);
        } else if (seed % 3 == 0) { // For trim.
            connection.age(Duration.ofSeconds(5));
        }
        connection.users.decrementAndGet();
        inUse.decrementAndGet();
        pool.release(LANE, connection);
    }

    private FakeConnection open() {
        assertThat(pool.await(LANE, System.nanoTime())).isTrue();
        FakeConnection connection = new FakeConnection(pool.generation());
        assertThat(pool.add(connection)).isTrue();
        return connection;
    }

    private static final class FakeConnection extends PooledConnection {

        private final AtomicInteger users = new AtomicInteger();
        private volatile long silence;
        private volatile boolean closed;

        FakeConnection(Generation generation) {
            super(generation, System.nanoTime());
        }

        @Override
        public long lastReply() {
            return super.lastReply() - silence;
        }

        /** Simulates a server that has been silent for this long. */
        void age(Duration time) {
            silence = time.toNanos();
        }

        boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            markBroken();
            closed = true;
        }
    }
}
