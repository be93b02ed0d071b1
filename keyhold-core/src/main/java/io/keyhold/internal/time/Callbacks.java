package io.keyhold.internal.time;

import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs user code on an executor of its own: code that blocks must not delay renewals. */
public final class Callbacks {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Executor executor;

    public Callbacks(Executor executor) {
        this.executor = executor;
    }

    /** Runs user code, on this thread if the executor rejects it. */
    public void run(Runnable userCode) {
        run(userCode, executor);
    }

    /** Runs the report of a loss, before other user code if the threads are the client's own. */
    public void runLoss(Runnable report) {
        run(report, executor instanceof CallbackThreads threads ? threads::executeFirst : executor);
    }

    private static void run(Runnable userCode, Executor executor) {
        Runnable guarded = () -> {
            try {
                userCode.run();
            } catch (Throwable e) { // Code in Kotlin and other languages also throws what it does not declare.
                LOG.log(Level.WARNING, "a listener threw", e);
            }
        };
        if (!tryRun(guarded, executor)) {
            // A loss must be reported even if the user's executor was shut down, or has no thread to give.
            guarded.run();
        }
    }

    /** Runs code that throws nothing and can be left out. Returns false if the executor rejects it. */
    public boolean tryRun(Runnable guarded) {
        return tryRun(guarded, executor);
    }

    /** An executor may throw and run the task nevertheless: a pool that has queued it, and then gets no thread from the system. */
    private static boolean tryRun(Runnable guarded, Executor executor) {
        AtomicBoolean decided = new AtomicBoolean();
        try {
            executor.execute(() -> {
                if (decided.compareAndSet(false, true)) {
                    guarded.run();
                }
            });
            return true;
        } catch (Throwable e) { // A thread pool throws an Error if the system has no thread to give.
            return !decided.compareAndSet(false, true);
        }
    }

    /** Ends the client's own threads, each as soon as it is idle. */
    public void close() {
        if (executor instanceof CallbackThreads threads) {
            threads.close();
        }
    }

    /** Returns a future for a user, whose dependent stages run on the executor. */
    public <T> CompletableFuture<T> forUser(CompletableFuture<T> future) {
        CompletableFuture<T> user = new CompletableFuture<>();
        future.whenComplete((value, failure) -> run(() -> Stages.forward(future, user)));
        return user;
    }
}
