package io.keyhold.internal.time;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The client's own threads for user code: a few, which end when they are idle, and one more whenever all of them are stuck.
 * User code may block for as long as it likes, so that no fixed number of threads is enough; but ten thousand short tasks
 * must not start ten thousand threads. So when tasks wait and no thread is free, a thread is started that only watches; if
 * no task was taken for a moment, it becomes one more worker.
 *
 * <p>A loss goes before everything else.
 */
public final class CallbackThreads implements Executor, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final int USUAL = 4;
    private static final long STUCK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ThreadFactory threads;
    private final ReentrantLock guard = new ReentrantLock();
    private final Condition work = guard.newCondition();
    private final Condition time = guard.newCondition();
    private final Deque<Runnable> losses = new ArrayDeque<>();
    private final Deque<Runnable> others = new ArrayDeque<>();
    private int workers;
    private int idle;
    private boolean watched;
    private boolean closed;
    private long taken;

    public CallbackThreads(String clientName) {
        this(named("keyhold-callback-" + clientName + "-"));
    }

    CallbackThreads(ThreadFactory threads) {
        this.threads = threads;
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger numbers = new AtomicInteger();
        return loop -> new Thread(null, loop, prefix + numbers.incrementAndGet(), 0, false);
    }

    @Override
    public void execute(Runnable task) {
        add(others, task);
    }

    /** Runs the task before all that {@link #execute} was given. */
    void executeFirst(Runnable task) {
        add(losses, task);
    }

    private void add(Deque<Runnable> tasks, Runnable task) {
        guard.lock();
        try {
            tasks.add(task);
            if (idle > 0) {
                work.signal();
            } else if (workers < USUAL && start(this::work)) {
                workers++;
            } else {
                watch();
                // No thread is left to come to it; or only such as user code may block, for which a loss does not wait.
                if (!watched && (workers == 0 || tasks == losses)) {
                    tasks.removeLast();
                    throw new RejectedExecutionException("no thread could be started");
                }
            }
        } finally {
            guard.unlock();
        }
    }

    /** Lets threads end as soon as they have nothing to do. Tasks that still come are run. */
    @Override
    public void close() {
        guard.lock();
        try {
            closed = true;
            work.signalAll();
        } finally {
            guard.unlock();
        }
    }

    /** Returns whether there is one thread more. If the system has none to give, tasks wait for those that run. */
    private boolean start(Runnable loop) {
        Thread thread = threads.newThread(loop);
        thread.setDaemon(true);
        try {
            thread.start();
            return true;
        } catch (OutOfMemoryError e) {
            LOG.log(Level.WARNING, "no thread could be started for callbacks", e);
            return false;
        }
    }

    private void work() {
        for (Runnable task = next(); task != null; task = next()) {
            task.run(); // Guarded by Callbacks: it throws nothing.
            Thread.interrupted(); // Left behind by user code, and not meant for the next task.
        }
    }

    /** Returns the next task, or null if there was none for long: then this thread ends. */
    private @Nullable Runnable next() {
        guard.lock();
        try {
            long left = IDLE_NANOS;
            idle++;
            while (isEmpty() && left > 0 && !closed) {
                left = await(work, left);
            }
            idle--;
            Runnable task = losses.isEmpty() ? others.poll() : losses.poll();
            if (task == null) {
                workers--;
            } else {
                taken++;
                if (!isEmpty() && idle == 0) {
                    watch();
                }
            }
            return task;
        } finally {
            guard.unlock();
        }
    }

    private void watch() {
        if (!watched) {
            watched = start(this::watchThenWork);
        }
    }

    /** Ends when no task waits, and works when tasks wait and none was taken since the last look. */
    private void watchThenWork() {
        guard.lock();
        try {
            boolean stuck = false;
            while (!isEmpty() && !stuck) {
                long before = taken;
                long left = STUCK_NANOS;
                while (left > 0 && taken == before) {
                    left = await(time, left);
                }
                stuck = taken == before;
            }
            watched = false;
            if (isEmpty()) {
                return;
            }
            workers++;
        } finally {
            guard.unlock();
        }
        work();
    }

    private boolean isEmpty() {
        return losses.isEmpty() && others.isEmpty();
    }

    /** These threads are never interrupted by the client itself. */
    @SuppressWarnings("WaitNotInLoop") // Both callers loop.
    private static long await(Condition condition, long nanos) {
        try {
            return condition.awaitNanos(nanos);
        } catch (InterruptedException e) {
            return nanos;
        }
    }
}
