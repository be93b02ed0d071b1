package io.keyhold.internal.time;

import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Runs user code on an executor of its own: code that blocks must not delay renewals. */
public final class Callbacks {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Executor executor;

    public Callbacks(Executor executor) {
        this.executor = executor;
    }

    public void run(Runnable userCode) {
        Runnable guarded = guarded(userCode);
        try {
            executor.execute(guarded);
        } catch (Throwable e) {
            // A loss must be reported even if the user's executor was shut down, or has no thread to give.
            guarded.run();
        }
    }

    /** Runs code that throws nothing and can be left out. Returns false if the executor rejects it. */
    public boolean tryRun(Runnable guarded) {
        try {
            executor.execute(guarded);
            return true;
        } catch (Throwable e) { // A thread pool throws an Error if the system has no thread to give.
            return false;
        }
    }

    /** Runs the report of a loss, before other user code if the threads are the client's own. */
    public void runLoss(Runnable report) {
        if (executor instanceof CallbackThreads threads) {
            threads.executeFirst(guarded(report));
        } else {
            run(report);
        }
    }

    /** Ends the client's own threads, each as soon as it is idle. */
    public void close() {
        if (executor instanceof CallbackThreads threads) {
            threads.close();
        }
    }

    private static Runnable guarded(Runnable userCode) {
        return () -> {
            try {
                userCode.run();
            } catch (Throwable e) { // Code in Kotlin and other languages also throws what it does not declare.
                LOG.log(Level.WARNING, "a listener threw", e);
            }
        };
    }

    /** Returns a future for a user, whose dependent stages run on the executor. */
    public <T> CompletableFuture<T> forUser(CompletableFuture<T> future) {
        CompletableFuture<T> user = new CompletableFuture<>();
        future.whenComplete((value, failure) -> run(() -> Stages.forward(future, user)));
        return user;
    }
}
