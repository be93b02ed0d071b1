package io.keyhold.internal.engine;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Whether the store has answered a request for the first time, or has failed to. Before that nothing is known of the lock, and
 * neither this request nor those behind it in the local queue may say that it is taken.
 */
final class Contact {

    private final InFlight inFlight;
    private final Outage outage;
    private final CompletableFuture<Void> made = new CompletableFuture<>();

    Contact(InFlight inFlight, Outage outage) {
        this.inFlight = inFlight;
        this.outage = outage;
    }

    /** The store has answered or failed, or the request is over. */
    void made() {
        made.complete(null);
    }

    /**
     * Ends a request whose time is up, this one or one behind it, with what is known of the lock. While a command is in flight that
     * tells more, {@code later} runs after it. Returns false if this request is over without an answer, and the next one is
     * about to be called.
     */
    boolean timeIsUp(Ask ask, CompletableFuture<Optional<HeldLease>> outcome, Runnable later) {
        Optional<Throwable> failure = outage.failure();
        if (failure.isPresent()) {
            outcome.completeExceptionally(failure.get());
        } else if (outage.isReached()) {
            outcome.complete(Optional.empty());
        } else if (made.isDone()) {
            return false;
        } else if (inFlight.isSent()) {
            made.thenRun(later); // One command more than the deadline.
        } else {
            outcome.completeExceptionally(TimeoutMessage.notSent(ask));
        }
        return true;
    }
}
