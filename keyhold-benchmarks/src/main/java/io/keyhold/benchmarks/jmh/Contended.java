package io.keyhold.benchmarks.jmh;

import io.keyhold.DistributedLock;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Eight threads of one JVM compete for one lock: the cost of the local queue and the local hand-over. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Threads(8)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Contended {
    private final Keyhold keyhold = Keyhold.inMemory();
    private final DistributedLock batched = lock("batched", Fairness.BATCHED);
    private final DistributedLock strict = lock("strict", Fairness.STRICT);
    private final ReentrantLock floor = new ReentrantLock();
    private final ReentrantLock fairFloor = new ReentrantLock(true);
    private long guarded;

    private DistributedLock lock(String key, Fairness fairness) {
        return keyhold.lock(key, LockOptions.builder().fairness(fairness).build());
    }

    /** Keyhold in memory, BATCHED. */
    @Benchmark
    public long batched() throws InterruptedException {
        try (Lease lease = batched.acquire()) {
            return guarded++ + lease.attempts();
        }
    }

    /** Keyhold in memory, STRICT. */
    @Benchmark
    public long strict() throws InterruptedException {
        try (Lease lease = strict.acquire()) {
            return guarded++ + lease.attempts();
        }
    }

    /** The JDK's lock without a queue. */
    @Benchmark
    public long reentrantLock() {
        floor.lock();
        try {
            return guarded++;
        } finally {
            floor.unlock();
        }
    }

    /** The JDK's lock with a queue, as STRICT has. */
    @Benchmark
    public long fairReentrantLock() {
        fairFloor.lock();
        try {
            return guarded++;
        } finally {
            fairFloor.unlock();
        }
    }

    /** Closes the client. */
    @TearDown
    public void close() {
        keyhold.close();
    }
}
