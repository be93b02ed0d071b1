package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.Exceptions;
import io.keyhold.internal.store.BackgroundReleaser;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.Caller;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Releases one lease on the server, with a second attempt when the connection breaks under the first. */
final class Release {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final StoreAccess store;
    private final KeyholdClock clock;
    private final BackgroundReleaser background;
    private final OwnGrants ownGrants;
    private final HeldLease lease;
    private final Caller caller;
    private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
    private final ReleaseRequest request;
    private boolean repeated;
    /** Whether the first attempt may have been executed: its reply was lost in flight. */
    private boolean mayBeDone;

    Release(
            StoreAccess store,
            KeyholdClock clock,
            BackgroundReleaser background,
            OwnGrants ownGrants,
            HeldLease lease,
            Caller caller) {
        this.store = store;
        this.clock = clock;
        this.background = background;
        this.ownGrants = ownGrants;
        this.lease = lease;
        this.caller = caller;
        this.request = lease.releaseRequest();
    }

    /** Starts, and returns whether the lease was held until now. */
    CompletableFuture<Boolean> start() {
        ClockReading before = ClockReading.now(clock);
        store.release(request.replyingTo(replyTo()), caller)
                .whenComplete((reply, failure) -> caller.execute(() -> answered(before, reply, failure)));
        return outcome;
    }

    /** A grant in the reply would be lost with it, if nothing repeated the release until there is a reply. */
    private Optional<String> replyTo() {
        return lease.mayBeReleasedLater() ? ownGrants.address() : Optional.empty();
    }

    private void answered(ClockReading before, @Nullable HoldReply reply, @Nullable Throwable failure) {
        if (reply instanceof HoldReply.Done done) {
            done.grants().forEach(notice -> ownGrants.granted(notice, before));
            LOG.log(Level.DEBUG, () -> lease.subject() + " was released");
            outcome.complete(true);
        } else if (reply instanceof HoldReply.NotHeld not) {
            notHeld(not);
        } else {
            failed(Stages.unwrapped(Objects.requireNonNull(failure)));
        }
    }

    private void notHeld(HoldReply.NotHeld reply) {
        if (mayBeDone) {
            // The first attempt may have released the lock, and its lost reply may have told of a grant.
            ownGrants.askAgain(request.claim().key());
        }
        if (mayBeDone && lease.remainingNanos() > 0) {
            // The connection was alive when the first attempt was sent (CallLane.RELEASE), so most likely that attempt
            // has released the lock. Whether it has cannot be known: docs/guarantees.md says what is returned then.
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
        boolean unknown = mayBeDone || StoreFailure.isOutcomeUnknown(failure);
        if (unknown) {
            ownGrants.askAgain(request.claim().key());
        }
        if (lease.mayBeReleasedLater()) {
            background.release(lease.subject(), request, lease.validity(), unknown ? new Unknown() : new NotDone());
        }
        outcome.completeExceptionally(failure);
    }

    /** No attempt was executed: a lease that is not held was lost. */
    private final class NotDone implements BackgroundReleaser.Listener {

        @Override
        public void lost(HoldReply.NotHeld reply) {
            lease.foundLost(reply);
        }
    }

    /**
     * An attempt may have been executed, or be executed after the waiters have asked again: a server that was paused reads
     * commands of several connections in any order. Its lost reply may have told of a grant, which is found by asking.
     */
    private final class Unknown implements BackgroundReleaser.Listener {

        @Override
        public void ended() {
            ownGrants.askAgain(request.claim().key());
        }
    }
}
