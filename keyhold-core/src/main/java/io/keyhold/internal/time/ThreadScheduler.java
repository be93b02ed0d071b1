package io.keyhold.internal.time;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One daemon thread, started at the first task, that sleeps until the next task is due.
 *
 * <p>Nearly every task is cancelled long before it is due: a lock is held for a millisecond, and its renewal is ten seconds
 * away. So cancelling never wakes the thread, and neither does a new task that is due after the moment at which the
 * thread is going to wake anyway. A {@code ScheduledThreadPoolExecutor} takes a lock for each, and wakes its thread whenever
 * the queue's head changes, which here is at every single lock and unlock.
 */
public final class ThreadScheduler implements Scheduler {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final long STARVED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ThreadFactory threads;
    private final long origin = System.nanoTime();
    private final ConcurrentSkipListMap<Due, Runnable> tasks = new ConcurrentSkipListMap<>();
    private final AtomicLong counter = new AtomicLong();
    /** Null before it was started. Set by {@link #start} only. */
    private volatile @Nullable Thread thread;

    private volatile long wakesAt = Long.MAX_VALUE;
    private volatile boolean closed;

    /** Creates a scheduler whose thread has this name. */
    public ThreadScheduler(String threadName) {
        this(task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            return thread;
        });
    }

    ThreadScheduler(ThreadFactory threads) {
        this.threads = threads;
    }

    private record Due(long at, long number) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        long at = now() + Math.max(delayNanos, 0);
        Due due = new Due(at < 0 ? Long.MAX_VALUE : at, counter.incrementAndGet());
        if (thread == null) {
            start();
        }
        tasks.put(due, task);
        if (due.at() < wakesAt) {
            LockSupport.unpark(thread);
        }
        return () -> tasks.remove(due);
    }

    @Override
    public synchronized void close() {
        closed = true;
        tasks.clear();
        LockSupport.unpark(thread);
    }

    /** Starts the thread before the first task is added. If the system has none to give, that task fails, and the next one tries again. */
    private synchronized void start() {
        if (!closed && thread == null) {
            Thread created = threads.newThread(this::run);
            created.start();
            thread = created;
        }
    }

    private void run() {
        while (!closed) {
            runDue();
            Map.Entry<Due, Runnable> next = tasks.firstEntry();
            wakesAt = next == null ? Long.MAX_VALUE : next.getKey().at();
            // A task that was added between the check and the assignment did not see the new wakesAt: check again.
            Map.Entry<Due, Runnable> again = tasks.firstEntry();
            if (again != null && again.getKey().at() < wakesAt) {
                continue;
            }
            if (next == null) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, next.getKey().at() - now());
            }
        }
    }

    private void runDue() {
        Map.Entry<Due, Runnable> first = tasks.firstEntry();
        if (first != null) {
            tellIfStarved(now() - first.getKey().at());
        }
        while (first != null && first.getKey().at() <= now() && !closed) {
            if (tasks.remove(first.getKey()) != null) {
                run(first.getValue());
            }
            first = tasks.firstEntry();
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a task of the timer failed; the timer goes on", e);
        }
    }

    /**
     * Logs a timer that runs late, because that loses leases and looks like a fault of the network. Logs the first
     * task that was due when it woke: thousands may be, and to tell of each would make the last of them later still.
     */
    private static void tellIfStarved(long lateNanos) {
        if (lateNanos > STARVED_NANOS) {
            LOG.log(
                    Level.INFO,
                    "the timer woke {0} ms late: this process was paused or is short of processor time",
                    TimeUnit.NANOSECONDS.toMillis(lateNanos));
        }
    }

    private long now() {
        return System.nanoTime() - origin;
    }
}
