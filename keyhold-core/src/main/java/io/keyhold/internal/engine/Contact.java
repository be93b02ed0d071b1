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
     * Ends a request whose time is up, as far as the store is concerned: this one, or one behind it. While a command is in flight that
     * tells more, does nothing and runs {@code later} afterwards.
     */
    void timeIsUp(Ask ask, CompletableFuture<Optional<HeldLease>> outcome, Runnable later) {
        if (made.isDone()) {
            outage.failure().ifPresentOrElse(outcome::completeExceptionally, () -> outcome.complete(Optional.empty()));
        } else if (inFlight.isSent()) {
            made.thenRun(later); // One command more than the deadline.
        } else {
            outcome.completeExceptionally(TimeoutMessage.notSent(ask));
        }
    }
}
