package io.keyhold.internal.engine;

import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Runs the user's code, away from the threads that renewals depend on. */
final class Callbacks {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Executor executor;

    Callbacks(Executor executor) {
        this.executor = executor;
    }

    void run(Runnable userCode) {
        Runnable guarded = guarded(userCode);
        try {
            executor.execute(guarded);
        } catch (RuntimeException e) {
            // An executor that was shut down must not swallow the news of a loss.
            guarded.run();
        }
    }

    /** Runs the report of a loss, before other user code if the threads are the client's own. */
    void runLoss(Runnable report) {
        if (executor instanceof CallbackThreads threads) {
            threads.executeFirst(guarded(report));
        } else {
            run(report);
        }
    }

    /** Ends threads of the client's own, each when it has nothing to do any more. */
    void close() {
        if (executor instanceof CallbackThreads threads) {
            threads.close();
        }
    }

    private static Runnable guarded(Runnable userCode) {
        return () -> {
            try {
                userCode.run();
            } catch (RuntimeException | Error e) {
                LOG.log(Level.WARNING, "a listener threw", e);
            }
        };
    }

    /** The same future for a user, whose code that follows on it runs on the executor. */
    <T> CompletableFuture<T> forUser(CompletableFuture<T> future) {
        CompletableFuture<T> user = new CompletableFuture<>();
        future.whenComplete((value, failure) -> run(() -> {
            if (failure != null) {
                user.completeExceptionally(Stages.unwrapped(failure));
            } else {
                user.complete(value);
            }
        }));
        return user;
    }
}
