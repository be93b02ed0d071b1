package io.keyhold.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.benchmarks.contender.LockClient;
import io.keyhold.benchmarks.contender.LockHandle;
import io.keyhold.benchmarks.contender.ReadWriteHandles;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class LoopTest {
    private static final LoopPlan FOUR_THREADS_ONE_KEY =
            new LoopPlan(4, LoopPlan.Keys.ONE, LoopPlan.Timed.ACQUIRE, Target.LOCK);

    private final ReentrantLock mutex = new ReentrantLock(true);
    private final CountDownLatch holds = new CountDownLatch(1000);

    @Test
    void workingLockHasNoViolations() throws InterruptedException {
        LoopResult result = run(FOUR_THREADS_ONE_KEY, key -> new Locked());
        assertThat(result.violations()).isZero();
        assertThat(result.holds()).isPositive().isEqualTo(result.latencies().count());
        assertThat(result.fewest()).isLessThanOrEqualTo(result.most());
        assertThat(LoopResult.decode("result " + result.encode()).encode()).isEqualTo(result.encode());
    }

    @Test
    void twoExclusiveHoldersAreViolation() {
        ExclusionCheck check = new ExclusionCheck(1);
        check.begin(1);
        check.begin(1);
        check.end(1);
        check.end(1);
        assertThat(check.violations(2)).isEqualTo(1);
        assertThat(check.violations(3)).as("and an increment got lost").isEqualTo(2);
    }

    @Test
    void oneHolderTooManyIsViolation() {
        ExclusionCheck check = new ExclusionCheck(3);
        check.begin(1);
        check.begin(1);
        check.begin(1);
        assertThat(check.violations(0)).as("as many as allowed").isZero();
        check.begin(1);
        assertThat(check.violations(0)).isEqualTo(1);
    }

    @Test
    void readerBesideWriterIsViolation() {
        ExclusionCheck check = new ExclusionCheck(1000);
        check.begin(1);
        check.begin(1);
        assertThat(check.violations(0)).as("two readers").isZero();
        check.begin(1000);
        assertThat(check.violations(1)).as("a writer beside them").isEqualTo(1);
    }

    @Test
    void readsAndWritesFollowPlan() throws InterruptedException {
        LongAdder reads = new LongAdder();
        LongAdder writes = new LongAdder();
        LockClient client = new LockClient() {
            @Override
            public ReadWriteHandles readWriteLock(String key) {
                return new ReadWriteHandles(new Counted(reads), new Counted(writes));
            }

            @Override
            public void close() {}
        };
        LoopPlan plan = new LoopPlan(1, LoopPlan.Keys.ONE, LoopPlan.Timed.ACQUIRE, Target.readWrite(90));
        assertThat(run(plan, client).violations()).isZero();
        double share = reads.sum() / (double) (reads.sum() + writes.sum());
        assertThat(share).as("share of reads in %s holds", reads.sum()).isBetween(0.8, 0.97);
    }

    @Test
    void planSurvivesTransferToWorker() {
        LoopPlan plan = new LoopPlan(3, LoopPlan.Keys.OWN, LoopPlan.Timed.ACQUIRE_AND_RELEASE, Target.allOf(5));
        assertThat(LoopPlan.decode(("loop " + plan.encode("key")).split(" ", -1)))
                .isEqualTo(plan);
    }

    @Test
    void waiterIsInterruptedAtEnd() throws InterruptedException {
        mutex.lock();
        CountDownLatch asked = new CountDownLatch(4);
        Loop loop = new Loop(
                client(key -> new Locked() {
                    @Override
                    public void acquire() throws InterruptedException {
                        asked.countDown();
                        super.acquire();
                    }
                }),
                FOUR_THREADS_ONE_KEY,
                "key");
        loop.start();
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        loop.measure();
        loop.halt();
        assertThat(loop.end().holds()).isZero();
    }

    @Test
    void uninterruptibleWaiterGetsLock() throws Exception {
        CountDownLatch asked = new CountDownLatch(4);
        CountDownLatch spared = new CountDownLatch(4);
        LongAdder held = new LongAdder();
        Loop loop = new Loop(
                client(key -> new Locked() {
                    @Override
                    public void acquire() throws InterruptedException {
                        asked.countDown();
                        super.acquire();
                        held.increment();
                    }

                    @Override
                    public boolean isInterruptible() {
                        spared.countDown();
                        return false;
                    }
                }),
                FOUR_THREADS_ONE_KEY,
                "key");
        FutureTask<LoopResult> end = new FutureTask<>(loop::end);
        mutex.lock();
        try {
            loop.start();
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            new Thread(end).start();
            assertThat(spared.await(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            mutex.unlock();
        }
        assertThat(end.get().violations()).isZero();
        assertThat(held.sum()).isEqualTo(4);
    }

    @Test
    void failureIsReported() throws InterruptedException {
        BlockingQueue<Thread> failing = new LinkedBlockingQueue<>();
        Loop loop = new Loop(
                client(key -> new Locked() {
                    @Override
                    public void acquire() {
                        failing.add(Thread.currentThread());
                        throw new IllegalStateException("no server");
                    }
                }),
                FOUR_THREADS_ONE_KEY,
                "key");
        loop.start();
        for (int thread = 0; thread < FOUR_THREADS_ONE_KEY.threads(); thread++) {
            failing.take().join();
        }
        assertThatThrownBy(loop::end).hasMessageContaining("no server");
    }

    @Test
    void threadsMayHaveTheirOwnKeys() throws InterruptedException {
        LoopPlan plan = new LoopPlan(4, LoopPlan.Keys.OWN, LoopPlan.Timed.ACQUIRE_AND_RELEASE, Target.LOCK);
        assertThat(run(plan, key -> new Locked(new ReentrantLock())).violations())
                .isZero();
    }

    private LoopResult run(LoopPlan plan, Function<String, LockHandle> locks) throws InterruptedException {
        return run(plan, client(locks));
    }

    private LoopResult run(LoopPlan plan, LockClient client) throws InterruptedException {
        Loop loop = new Loop(client, plan, "key");
        loop.measure();
        loop.start();
        assertThat(holds.await(10, TimeUnit.SECONDS)).isTrue();
        loop.halt();
        return loop.end();
    }

    private static LockClient client(Function<String, LockHandle> locks) {
        return new LockClient() {
            @Override
            public LockHandle lock(String key) {
                return locks.apply(key);
            }

            @Override
            public void close() {}
        };
    }

    private class Counted implements LockHandle {
        private final LongAdder acquired;

        Counted(LongAdder acquired) {
            this.acquired = acquired;
        }

        @Override
        public void acquire() {
            acquired.increment();
        }

        @Override
        public void release() {
            holds.countDown();
        }
    }

    private class Locked implements LockHandle {
        private final ReentrantLock lock;

        Locked() {
            this(mutex);
        }

        Locked(ReentrantLock lock) {
            this.lock = lock;
        }

        @Override
        public void acquire() throws InterruptedException {
            lock.lockInterruptibly();
        }

        @Override
        public void release() {
            lock.unlock();
            holds.countDown();
        }
    }
}
