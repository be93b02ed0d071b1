package io.keyhold.benchmarks.jmh;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Acquire and release without contention: Keyhold's own cost, with a store that costs next to nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Uncontended {
    private final Keyhold keyhold = Keyhold.inMemory();
    private final DistributedLock lock = keyhold.lock("uncontended");
    private final ReentrantLock floor = new ReentrantLock();

    /** Keyhold in memory. */
    @Benchmark
    public boolean keyhold() throws InterruptedException {
        return lock.acquire().release();
    }

    /** The JDK's lock. */
    @Benchmark
    public boolean reentrantLock() {
        floor.lock();
        try {
            return floor.isHeldByCurrentThread();
        } finally {
            floor.unlock();
        }
    }

    /** Closes the client. */
    @TearDown
    public void close() {
        keyhold.close();
    }
}
