package io.keyhold.jedis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Work on the calling thread, which is put into stages that are complete. */
final class OnThisThread {

    private OnThisThread() {}

    /** Does the work now, on this thread. The stage is complete. */
    static <T> CompletionStage<T> of(Supplier<T> work) {
        return flat(() -> CompletableFuture.completedFuture(work.get()));
    }

    /**
     * As {@link #of}, for work that answers a stage itself.
     *
     * <p>An interrupt that is pending is put aside meanwhile: Java closes the socket of a virtual thread that touches
     * it while interrupted, and the work may be the release of a lock by somebody who was interrupted.
     */
    static <T> CompletionStage<T> flat(Supplier<CompletionStage<T>> work) {
        boolean interrupted = Thread.interrupted();
        try {
            return work.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
