package io.keyhold.internal.engine.acquire;

import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.QueuePlace;
import java.util.Optional;

/** The entry of one request in the server's queue, if it has one. Used by the steps of that request only. */
final class QueueSlot {

    private final GrantRouter router;
    private final GrantRouter.Waiter request;
    private Optional<QueuePlace> place = Optional.empty();
    /** The entry before, if it was abandoned because its grants cannot arrive any more. It may still be in the server's queue. */
    private Optional<QueuePlace> unreachable = Optional.empty();

    QueueSlot(GrantRouter router, GrantRouter.Waiter request) {
        this.router = router;
        this.request = request;
    }

    /** Returns whether the request may be in the server's queue. */
    boolean isTaken() {
        return place.isPresent();
    }

    /** Returns whether the request is in the server's queue and a grant would arrive. */
    boolean isReachable() {
        return place.isPresent() && router.reach(place.get()) == GrantChannel.Reach.ARRIVES;
    }

    /** Returns what to ask of the store for a lock that is held: an entry in the queue, as soon as grants can arrive. */
    AcquireRequest.IfBusy ifBusy(String token) {
        // While the channel is down the request names its entry nevertheless: a grant has to remove that from the
        // queue, or
        // the lock would be handed to it once more, when the request is over.
        if (place.isPresent() && router.reach(place.get()) == GrantChannel.Reach.MOVED) {
            unreachable = leave();
        }
        AcquireRequest.Coming coming = AcquireRequest.Coming.AGAIN;
        if (place.isEmpty()) {
            coming = AcquireRequest.Coming.FIRST;
            place = router.enter(request, token);
        }
        return place.isEmpty()
                ? AcquireRequest.IfBusy.GO_AWAY
                : new AcquireRequest.IfBusy(place, coming, router.detailFor(request, coming));
    }

    /** Returns whether the notice is for this entry. It is not if the request has left the entry, or knows of the grant already. */
    boolean isFor(GrantNotice notice) {
        return place.isPresent() && place.get().number() == notice.number();
    }

    /** Leaves the router, and returns the entry, which may still be in the server's queue. */
    Optional<QueuePlace> leave() {
        place.ifPresent(left -> router.leave(request, left));
        Optional<QueuePlace> left = place.isPresent() ? place : unreachable;
        place = Optional.empty();
        unreachable = Optional.empty();
        return left;
    }
}
