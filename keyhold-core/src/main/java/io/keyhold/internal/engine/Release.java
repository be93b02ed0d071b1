package io.keyhold.internal.engine;

import io.keyhold.internal.Exceptions;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One release of a lease, with a second try when the connection breaks under the first. */
final class Release {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Engine engine;
    private final HeldLease lease;
    private final Caller caller;
    private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
    private final ReleaseRequest request;
    private boolean repeated;
    /** Whether the first try may have been executed: its reply was lost in flight. */
    private boolean mayBeDone;

    Release(Engine engine, HeldLease lease, Caller caller) {
        this.engine = engine;
        this.lease = lease;
        this.caller = caller;
        this.request = ReleaseRequest.of(lease.subject().claim(), lease.storedToken());
    }

    CompletableFuture<Boolean> start() {
        engine.release(request, caller)
                .whenComplete((reply, failure) -> caller.execute(() -> answered(reply, failure)));
        return outcome;
    }

    private void answered(@Nullable HoldReply reply, @Nullable Throwable failure) {
        if (reply instanceof HoldReply.Done) {
            LOG.log(Level.DEBUG, () -> lease.subject() + " was released");
            outcome.complete(true);
        } else if (reply instanceof HoldReply.NotHeld not) {
            notHeld(not);
        } else {
            failed(Stages.unwrapped(Objects.requireNonNull(failure)));
        }
    }

    private void notHeld(HoldReply.NotHeld reply) {
        if (mayBeDone && lease.remainingNanos() > 0) {
            // The connection was alive when the first try was sent (CallLane.RELEASE), so that this is most likely its
            // doing. Whether it is cannot be known: docs/guarantees.md says what is returned then.
            outcome.complete(true);
            return;
        }
        lease.foundLost(reply);
        outcome.complete(false);
    }

    private void failed(Throwable failure) {
        if (!repeated && StoreFailure.isWorthRepeating(failure)) {
            repeated = true;
            mayBeDone = Exceptions.isCut(failure); // A server that does not serve has executed nothing.
            start();
            return;
        }
        if (lease.mayBeReleasedLater()) {
            boolean notDone = !mayBeDone && !StoreFailure.isOutcomeUnknown(failure);
            engine.undo().release(lease.subject(), request, lease.validity(), notDone ? lease::foundLost : none -> {});
        }
        outcome.completeExceptionally(failure);
    }
}
