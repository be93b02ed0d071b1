package io.keyhold.testkit;

import io.keyhold.CheckedRunnable;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;

/**
 * Notices that the machine stood still, for tests of short timeouts. Such a test also makes calls that a healthy server replies to. If
 * the machine pauses for as long as the timeout, they fail, which says nothing about the driver.
 */
public final class StallWatch {

    static final String THREAD = "stall watch";

    private static final int MOST_ATTEMPTS = 10;
    private static final long TICK_NANOS = Duration.ofMillis(10).toNanos();

    /** Far less than any timeout of a test. */
    private static final long STALL_NANOS = Duration.ofMillis(100).toNanos();

    private static final StallWatch MACHINE = new StallWatch();

    private volatile long lastTick = System.nanoTime();
    private volatile long lastStall = lastTick;

    private StallWatch() {
        DaemonThread.named(THREAD, this::tick).start();
    }

    /**
     * Runs a test. It is run again if it fails and the machine stood still meanwhile: only a failure on a machine that runs counts.
     *
     * @param test the test; must not depend on what an attempt of it has left behind
     * @param <X> what it may throw
     * @throws X if it fails
     */
    public static <X extends Exception> void undisturbed(CheckedRunnable<X> test) throws X {
        undisturbed(MACHINE::hasStalledSince, test);
    }

    static <X extends Exception> void undisturbed(LongPredicate hasStalledSince, CheckedRunnable<X> test) throws X {
        for (int attempt = 1; ; attempt++) {
            long start = System.nanoTime();
            try {
                test.run();
                return;
            } catch (Throwable failure) {
                if (attempt == MOST_ATTEMPTS || !hasStalledSince.test(start)) {
                    throw failure;
                }
            }
        }
    }

    private void tick() {
        while (true) {
            LockSupport.parkNanos(TICK_NANOS);
            long now = System.nanoTime();
            if (now - lastTick > STALL_NANOS) {
                lastStall = now;
            }
            lastTick = now;
        }
    }

    /** The tick may be late itself: a test that fails right after a pause must not be faster than its report. */
    private boolean hasStalledSince(long nanos) {
        return lastStall - nanos > 0 || System.nanoTime() - lastTick > STALL_NANOS;
    }
}
