package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.LockHandle;
import io.keyhold.benchmarks.statistics.Latencies;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Acquires and releases until the loop ends. */
final class LoopThread extends Thread {
    private final Supplier<WeightedHandle> handles;
    private final ExclusionCheck check;
    private final Loop loop;
    private final Latencies latencies = new Latencies();
    private @Nullable LockHandle waitedFor;
    private long exclusiveHolds;
    private long measuredHolds;
    private volatile @Nullable Throwable failure;

    LoopThread(String name, Supplier<WeightedHandle> handles, ExclusionCheck check, Loop loop) {
        super(name);
        this.handles = handles;
        this.check = check;
        this.loop = loop;
    }

    @Override
    public void run() {
        try {
            while (!loop.isEnding()) {
                hold();
            }
        } catch (InterruptedException endOfRound) {
            return;
        } catch (RuntimeException | Error e) {
            // Some clients throw their own exception on an interrupt.
            if (!loop.isEnding()) {
                failure = e;
            }
        }
    }

    private void hold() throws InterruptedException {
        WeightedHandle handle = handles.get();
        long begin = System.nanoTime();
        setWaitedFor(handle.lock());
        handle.lock().acquire();
        setWaitedFor(null);
        // An interrupt that was meant for the wait must not reach the release.
        boolean ignored = Thread.interrupted();
        long acquired = System.nanoTime();
        check.begin(handle.weight());
        if (check.isExclusive(handle.weight())) {
            exclusiveHolds++;
        }
        check.end(handle.weight());
        handle.lock().release();
        if (loop.isMeasuring()) {
            boolean withRelease = loop.plan().timed() == LoopPlan.Timed.ACQUIRE_AND_RELEASE;
            latencies.record((withRelease ? System.nanoTime() : acquired) - begin);
            measuredHolds++;
        }
    }

    private synchronized void setWaitedFor(@Nullable LockHandle lock) {
        waitedFor = lock;
    }

    /** Interrupts the thread only while it waits, and only if the client supports it, so that a held lock is released. */
    synchronized void endWait() {
        if (waitedFor != null && waitedFor.isInterruptible()) {
            interrupt();
        }
    }

    // The following are read after the thread has ended.

    long exclusiveHolds() {
        return exclusiveHolds;
    }

    long measuredHolds() {
        return measuredHolds;
    }

    Latencies latencies() {
        return latencies;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
