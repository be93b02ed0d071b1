package io.keyhold.internal.engine.lease;

import io.keyhold.internal.Exceptions;
import io.keyhold.internal.store.BackgroundReleaser;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.Caller;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Releases one lease on the server, with a second attempt when the connection breaks under the first. */
final class Release {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final StoreAccess store;
    private final BackgroundReleaser background;
    private final OwnGrants ownGrants;
    private final HeldLease lease;
    private final Caller caller;
    private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
    private final ReleaseRequest request;
    private boolean repeated;
    /** Whether the first attempt may have been executed: its reply was lost in flight. */
    private boolean mayBeDone;

    Release(StoreAccess store, BackgroundReleaser background, OwnGrants ownGrants, HeldLease lease, Caller caller) {
        this.store = store;
        this.background = background;
        this.ownGrants = ownGrants;
        this.lease = lease;
        this.caller = caller;
        this.request = lease.releaseRequest();
    }

    /** Starts, and returns whether the lease was held until now. */
    CompletableFuture<Boolean> start() {
        store.release(request.replyingTo(ownGrants.address()), caller)
                .whenComplete((reply, failure) -> caller.execute(() -> answered(reply, failure)));
        return outcome;
    }

    private void answered(@Nullable HoldReply reply, @Nullable Throwable failure) {
        if (reply instanceof HoldReply.Done done) {
            done.grants().forEach(ownGrants::granted);
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
            // The connection was alive when the first attempt was sent (CallLane.RELEASE), so most likely that attempt
            // has released the lock. Whether it has cannot be known: docs/guarantees.md says what is returned then. A
            // grant that its reply told of is lost with it, and found by asking.
            ownGrants.askAgain(request.claim().key());
            outcome.complete(true);
            return;
        }
        lease.foundLost(reply);
        outcome.complete(false);
    }

    private void failed(Throwable failure) {
        if (!repeated && StoreFailure.isWorthRepeating(failure)) {
            repeated = true;
            mayBeDone = Exceptions.isCut(failure); // A server that is not serving has executed nothing.
            start();
            return;
        }
        if (mayBeDone || StoreFailure.isOutcomeUnknown(failure)) {
            ownGrants.askAgain(request.claim().key());
        }
        if (lease.mayBeReleasedLater()) {
            boolean notDone = !mayBeDone && !StoreFailure.isOutcomeUnknown(failure);
            // If the failed attempt turns out to have released the lock, its reply may have told of a grant.
            background.release(
                    lease.subject(),
                    request,
                    lease.validity(),
                    notDone
                            ? lease::foundLost
                            : not -> ownGrants.askAgain(request.claim().key()));
        }
        outcome.completeExceptionally(failure);
    }
}
