package io.keyhold.benchmarks.worker;

import io.keyhold.benchmarks.contender.ContenderLock;
import io.keyhold.benchmarks.statistics.LatencyHistogram;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes and releases until it is told to end. */
final class LoopThread extends Thread {
    private final Supplier<Entrance> entrances;
    private final Guard guard;
    private final Loop loop;
    private final LatencyHistogram latencies = new LatencyHistogram();
    private @Nullable ContenderLock waitedFor;
    private long entriesAlone;
    private long measuredHolds;
    private volatile @Nullable Throwable failure;

    LoopThread(String name, Supplier<Entrance> entrances, Guard guard, Loop loop) {
        super(name);
        this.entrances = entrances;
        this.guard = guard;
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
            // Some clients have an exception of their own for an interrupt.
            if (!loop.isEnding()) {
                failure = e;
            }
        }
    }

    private void hold() throws InterruptedException {
        Entrance entrance = entrances.get();
        long asked = System.nanoTime();
        setWaitedFor(entrance.lock());
        entrance.lock().acquire();
        setWaitedFor(null);
        // An interrupt that was meant for the wait must not hit the release.
        boolean ignored = Thread.interrupted();
        long entered = System.nanoTime();
        guard.enter(entrance.weight());
        if (guard.isAlone(entrance.weight())) {
            entriesAlone++;
        }
        guard.leave(entrance.weight());
        entrance.lock().release();
        if (loop.isMeasuring()) {
            boolean wholeWay = loop.plan().timed() == LoopPlan.Timed.ACQUIRE_AND_RELEASE;
            latencies.record((wholeWay ? System.nanoTime() : entered) - asked);
            measuredHolds++;
        }
    }

    private synchronized void setWaitedFor(@Nullable ContenderLock lock) {
        waitedFor = lock;
    }

    /** Interrupts it only while it waits, so that what it holds is released properly, and for what does not mind. */
    synchronized void endWait() {
        if (waitedFor != null && waitedFor.heedsInterrupts()) {
            interrupt();
        }
    }

    /** The following are to be read after its end. */
    long entriesAlone() {
        return entriesAlone;
    }

    long measuredHolds() {
        return measuredHolds;
    }

    LatencyHistogram latencies() {
        return latencies;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
