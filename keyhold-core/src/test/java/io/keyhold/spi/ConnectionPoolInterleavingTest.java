package io.keyhold.spi;

import io.keyhold.internal.engine.Interleavings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Explored: two threads take and return slots and idle connections at the same time. */
@Tag("full")
class ConnectionPoolInterleavingTest {

    private static final int SCHEDULES = 300;

    @Test
    void noPlaceIsLostOrDoubled() {
        Interleavings.checkAgainst(
                PlacesOfOneThread.class,
                SCHEDULES,
                Interleavings.of(Places.class)
                        .before("acquire")
                        .oneThread("release")
                        .otherThread("acquire")
                        .after("granted"),
                Interleavings.of(Places.class)
                        .before("acquire")
                        .before("acquire")
                        .oneThread("release")
                        .otherThread("giveUp")
                        .otherThread("acquire")
                        .after("granted")
                        .after("release")
                        .after("granted"));
    }

    @Test
    void everyConnectionHasOneUser() {
        Interleavings.checkAgainst(
                NoProblems.class,
                SCHEDULES,
                idle(3).oneThread("take")
                        .otherThread("take")
                        .otherThread("giveBack")
                        .after("problems"),
                idle(3).oneThread("take")
                        .oneThread("giveBack")
                        .otherThread("trim")
                        .after("problems"),
                idle(3).oneThread("take").oneThread("take").otherThread("trim").after("problems"),
                idle(2).oneThread("take")
                        .oneThread("breakOne")
                        .otherThread("take")
                        .after("problems"));
    }

    private static Interleavings idle(int count) {
        Interleavings scenario = Interleavings.of(Stack.class);
        for (int i = 0; i < count; i++) {
            scenario.before("open");
        }
        return scenario.before("giveAllBack");
    }

    /** The limit of a lane, with one place. */
    public static class Places {
        private final PoolLimit limit = new PoolLimit(1);
        private final Queue<CompletableFuture<Boolean>> places = new ConcurrentLinkedQueue<>();

        public void acquire() {
            places.add(limit.acquire());
        }

        public void release() {
            limit.release();
        }

        /** The waiter gives up that came last before the threads began. Returns whether it still waited. */
        public boolean giveUp() {
            return new ArrayList<>(places).get(1).cancel(false);
        }

        public int granted() {
            return (int) places.stream()
                    .filter(place -> place.isDone() && !place.isCancelled())
                    .count();
        }
    }

    /** The specification, for one thread. */
    public static class PlacesOfOneThread {
        private final Deque<Integer> waiters = new ArrayDeque<>();
        private int free = 1;
        private int granted;

        public void acquire() {
            waiters.add(1);
            serve();
        }

        public void release() {
            free++;
            serve();
        }

        private void serve() {
            while (free > 0 && !waiters.isEmpty()) {
                waiters.poll();
                free--;
                granted++;
            }
        }

        public boolean giveUp() {
            return waiters.poll() != null;
        }

        public int granted() {
            return granted;
        }
    }

    /** A pool whose idle connections are all old. */
    public static class Stack {
        private final ConnectionPool<Old> pool = new ConnectionPool<>(8);
        private final List<Old> taken = Collections.synchronizedList(new ArrayList<>());

        public void open() {
            Old connection = new Old();
            pool.add(connection);
            taken.add(connection);
        }

        public void giveAllBack() {
            while (!taken.isEmpty()) {
                giveBack();
            }
        }

        public void take() {
            Old connection = pool.pollIdle();
            if (connection != null) {
                taken.add(connection);
            }
        }

        public void giveBack() {
            if (!taken.isEmpty()) {
                pool.release(CallLane.REQUEST, taken.remove(0));
            }
        }

        public void breakOne() {
            Old connection = taken.remove(0);
            connection.close();
            pool.release(CallLane.REQUEST, connection);
        }

        public void trim() {
            pool.trim(1);
        }

        /** How many connections were closed in use, or have two users. */
        public long problems() {
            for (Old idle = pool.pollIdle(); idle != null; idle = pool.pollIdle()) {
                taken.add(idle);
            }
            return taken.size()
                    - taken.stream()
                            .filter(connection -> !connection.isBroken())
                            .distinct()
                            .count();
        }
    }

    /** The specification: none, ever. */
    public static class NoProblems {

        public void open() {}

        public void giveAllBack() {}

        public void take() {}

        public void giveBack() {}

        public void breakOne() {}

        public void trim() {}

        public long problems() {
            return 0;
        }
    }

    private static final class Old extends PooledConnection {

        Old() {
            super(new Generation(), System.nanoTime() - Duration.ofMinutes(1).toNanos());
        }

        @Override
        public void close() {
            markBroken();
        }
    }
}
