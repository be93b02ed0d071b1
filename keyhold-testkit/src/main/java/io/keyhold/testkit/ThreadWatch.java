package io.keyhold.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * Tells which threads were started since, and still run. Those that the JVM shares among all its libraries are left out:
 * the JDK's timer for stages and that of {@link StallWatch}, which stay, and the workers of fork-join pools. A pool that runs tests starts one in the
 * place of a test that waits for a stage, at any time, and keeps it for half a minute.
 */
public final class ThreadWatch {

    /** Far longer than any thread needs to end. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    /** "CompletableFutureDelayScheduler" before JDK 25, and "ForkJoinPool.commonPool-delayScheduler" since; {@link StallWatch}. */
    private static final Pattern SHARED = Pattern.compile("[Dd]elayScheduler$|^" + StallWatch.THREAD + "$");

    private final Set<Thread> before;

    /** Starts to watch: threads that run already do not count. */
    public ThreadWatch() {
        before = Thread.getAllStackTraces().keySet();
    }

    /** Returns the threads that were started since and run now. */
    public List<Thread> started() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> !(thread instanceof ForkJoinWorkerThread))
                .filter(thread -> !SHARED.matcher(thread.getName()).find())
                .filter(Thread::isAlive)
                .toList();
    }

    /** Returns when no more than this many of them run; fails after a minute. */
    public void awaitAtMost(int count) {
        long end = System.nanoTime() + TIME_LIMIT.toNanos();
        for (List<Thread> left = started(); left.size() > count; left = started()) {
            if (System.nanoTime() - end > 0) {
                throw tooMany(count, left);
            }
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
    }

    private static AssertionError tooMany(int count, List<Thread> left) {
        AssertionError error = new AssertionError(
                "more than " + count + " threads are left after " + TIME_LIMIT.toSeconds() + " s: " + left);
        for (Thread thread : left) {
            Throwable where = new Throwable(thread.getName());
            where.setStackTrace(thread.getStackTrace());
            error.addSuppressed(where);
        }
        return error;
    }
}
