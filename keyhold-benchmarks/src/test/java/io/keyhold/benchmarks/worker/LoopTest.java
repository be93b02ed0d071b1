package io.keyhold.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.contender.ContenderLock;
import io.keyhold.benchmarks.contender.ReadWritePair;
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
    private static final LoopPlan FOUR_AT_ONE_KEY = new LoopPlan(4, LoopPlan.Keys.ONE, LoopPlan.Timed.ACQUIRE);

    private final ReentrantLock mutex = new ReentrantLock(true);
    private final CountDownLatch holds = new CountDownLatch(1000);

    @Test
    void aLockThatLocksIsFoundInOrder() throws InterruptedException {
        LoopResult result = run(FOUR_AT_ONE_KEY, key -> new Locked());
        assertThat(result.violations()).isZero();
        assertThat(result.holds()).isPositive().isEqualTo(result.latencies().total());
        assertThat(result.fewest()).isLessThanOrEqualTo(result.most());
        assertThat(LoopResult.decode("result " + result.encode()).encode()).isEqualTo(result.encode());
    }

    @Test
    void aLockThatDoesNotLockIsFoundOut() {
        Guard guard = new Guard(1);
        guard.enter(1);
        guard.enter(1);
        guard.leave(1);
        guard.leave(1);
        assertThat(guard.violations(2)).isEqualTo(1);
        assertThat(guard.violations(3)).as("and a count got lost").isEqualTo(2);
    }

    @Test
    void oneTooManyIsFoundOut() {
        Guard guard = new Guard(3);
        guard.enter(1);
        guard.enter(1);
        guard.enter(1);
        assertThat(guard.violations(0)).as("as many as may be").isZero();
        guard.enter(1);
        assertThat(guard.violations(0)).isEqualTo(1);
    }

    @Test
    void aWriterIsAlone() {
        Guard guard = new Guard(1000);
        guard.enter(1);
        guard.enter(1);
        assertThat(guard.violations(0)).as("two readers").isZero();
        guard.enter(1000);
        assertThat(guard.violations(1)).as("a writer beside them").isEqualTo(1);
    }

    @Test
    void readsAndWritesAsOftenAsPlanned() throws InterruptedException {
        LongAdder reads = new LongAdder();
        LongAdder writes = new LongAdder();
        Contender contender = new Contender() {
            @Override
            public ReadWritePair readWriteLock(String key) {
                return new ReadWritePair(new Counted(reads), new Counted(writes));
            }

            @Override
            public void close() {}
        };
        LoopPlan plan = new LoopPlan(1, LoopPlan.Keys.ONE, LoopPlan.Timed.ACQUIRE, Target.readWrite(90));
        assertThat(run(plan, contender).violations()).isZero();
        double share = reads.sum() / (double) (reads.sum() + writes.sum());
        assertThat(share).as("share of reads in %s holds", reads.sum()).isBetween(0.8, 0.97);
    }

    @Test
    void aPlanSurvivesItsWayToTheWorker() {
        LoopPlan plan = new LoopPlan(3, LoopPlan.Keys.OWN, LoopPlan.Timed.ACQUIRE_AND_RELEASE, Target.allOf(5));
        assertThat(LoopPlan.decode(("loop " + plan.encode("key")).split(" ", -1)))
                .isEqualTo(plan);
    }

    @Test
    void aWaiterIsInterruptedAtTheEnd() throws InterruptedException {
        mutex.lock();
        CountDownLatch asked = new CountDownLatch(4);
        Loop loop = new Loop(
                contender(key -> new Locked() {
                    @Override
                    public void acquire() throws InterruptedException {
                        asked.countDown();
                        super.acquire();
                    }
                }),
                FOUR_AT_ONE_KEY,
                "key");
        loop.start();
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        loop.measure();
        loop.halt();
        assertThat(loop.end().holds()).isZero();
    }

    @Test
    void whoCannotBearAnInterruptIsLeftToWaitForItsTurn() throws Exception {
        CountDownLatch asked = new CountDownLatch(4);
        CountDownLatch spared = new CountDownLatch(4);
        LongAdder held = new LongAdder();
        Loop loop = new Loop(
                contender(key -> new Locked() {
                    @Override
                    public void acquire() throws InterruptedException {
                        asked.countDown();
                        super.acquire();
                        held.increment();
                    }

                    @Override
                    public boolean heedsInterrupts() {
                        spared.countDown();
                        return false;
                    }
                }),
                FOUR_AT_ONE_KEY,
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
    void aFailureIsTold() throws InterruptedException {
        BlockingQueue<Thread> failing = new LinkedBlockingQueue<>();
        Loop loop = new Loop(
                contender(key -> new Locked() {
                    @Override
                    public void acquire() {
                        failing.add(Thread.currentThread());
                        throw new IllegalStateException("no server");
                    }
                }),
                FOUR_AT_ONE_KEY,
                "key");
        loop.start();
        for (int thread = 0; thread < FOUR_AT_ONE_KEY.threads(); thread++) {
            failing.take().join();
        }
        assertThatThrownBy(loop::end).hasMessageContaining("no server");
    }

    @Test
    void threadsCanHaveTheirOwnKeys() throws InterruptedException {
        LoopPlan plan = new LoopPlan(4, LoopPlan.Keys.OWN, LoopPlan.Timed.ACQUIRE_AND_RELEASE);
        assertThat(run(plan, key -> new Locked(new ReentrantLock())).violations())
                .isZero();
    }

    private LoopResult run(LoopPlan plan, Function<String, ContenderLock> locks) throws InterruptedException {
        return run(plan, contender(locks));
    }

    private LoopResult run(LoopPlan plan, Contender contender) throws InterruptedException {
        Loop loop = new Loop(contender, plan, "key");
        loop.measure();
        loop.start();
        assertThat(holds.await(10, TimeUnit.SECONDS)).isTrue();
        loop.halt();
        return loop.end();
    }

    private static Contender contender(Function<String, ContenderLock> locks) {
        return new Contender() {
            @Override
            public ContenderLock lock(String key) {
                return locks.apply(key);
            }

            @Override
            public void close() {}
        };
    }

    private class Counted implements ContenderLock {
        private final LongAdder taken;

        Counted(LongAdder taken) {
            this.taken = taken;
        }

        @Override
        public void acquire() {
            taken.increment();
        }

        @Override
        public void release() {
            holds.countDown();
        }
    }

    private class Locked implements ContenderLock {
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
