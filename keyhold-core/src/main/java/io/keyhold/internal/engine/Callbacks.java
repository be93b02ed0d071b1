package io.keyhold.internal.engine;

import io.keyhold.internal.Failed;
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
        Runnable guarded = () -> {
            try {
                userCode.run();
            } catch (RuntimeException | Error e) {
                LOG.log(Level.WARNING, "a listener threw", e);
            }
        };
        try {
            executor.execute(guarded);
        } catch (RuntimeException e) {
            // An executor that was shut down must not swallow the news of a loss.
            guarded.run();
        }
    }

    /** The same future for a user, whose code that follows on it runs on the executor. */
    <T> CompletableFuture<T> forUser(CompletableFuture<T> future) {
        CompletableFuture<T> user = new CompletableFuture<>();
        future.whenComplete((value, failure) -> run(() -> {
            if (failure != null) {
                user.completeExceptionally(Failed.unwrapped(failure));
            } else {
                user.complete(value);
            }
        }));
        return user;
    }
}
