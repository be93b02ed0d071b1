package io.keyhold.internal.engine.acquire;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.time.ClockReading;
import java.util.Optional;

/** The entry of one request in the server's queue, if it has one. Used by the steps of that request only. */
final class QueueSlot {

    private final GrantRouter router;
    private final GrantRouter.Waiter request;
    private Optional<GrantRouter.Entry> entry = Optional.empty();
    /** The entry before, if it was abandoned because its grants cannot arrive any more. It may still be in the server's queue. */
    private Optional<QueuePlace> unreachable = Optional.empty();

    QueueSlot(GrantRouter router, GrantRouter.Waiter request) {
        this.router = router;
        this.request = request;
    }

    /** Returns whether the request may be in the server's queue. */
    boolean isTaken() {
        return entry.isPresent();
    }

    /** Returns whether the request is in the server's queue and a grant would arrive. */
    boolean isReachable() {
        return entry.isPresent()
                && !isElsewhere()
                && entry.get().channel().reaches(entry.get().place().channel());
    }

    /** Returns whether the key has moved to another server, with the entry or without it. */
    boolean isElsewhere() {
        return entry.isPresent() && !router.isAt(entry.get().channel(), request);
    }

    /** Returns whether the channel is open under another address, so that the grants of the entry never arrive. */
    private boolean hasOtherAddress() {
        return entry.isPresent()
                && entry.get()
                        .channel()
                        .address()
                        .filter(open -> !open.equals(entry.get().place().channel()))
                        .isPresent();
    }

    /** Returns what to ask of the store for a lock that is held: an entry in the queue, as soon as grants can arrive. */
    AcquireRequest.IfBusy ifBusy(String token) {
        // While the channel is down, or the key elsewhere, the request names its entry nevertheless: a grant has to
        // remove that from the queue, or the lock would be handed to it once more, when the request is over.
        if (hasOtherAddress() && !isElsewhere()) {
            unreachable = leave();
        }
        AcquireRequest.Coming coming = AcquireRequest.Coming.AGAIN;
        if (entry.isEmpty()) {
            coming = AcquireRequest.Coming.FIRST;
            entry = router.enter(request, token);
        }
        return entry.isEmpty()
                ? AcquireRequest.IfBusy.GO_AWAY
                : new AcquireRequest.IfBusy(
                        entry.map(GrantRouter.Entry::place), coming, router.detailFor(request, entry.get(), coming));
    }

    /** Learns the time of the server from a reply to the request that was sent at this moment. */
    void learn(ClockReading sent, AcquireReply.Busy reply) {
        if (reply.atMicros().isPresent()) {
            GrantChannel channel = entry.isPresent()
                    ? entry.get().channel()
                    : router.at(request.spec().subject().claim().key());
            channel.serverClock().learn(sent, reply.atMicros().getAsLong());
        }
    }

    /** Returns whether the notice is for this entry. It is not if the request has left the entry, or knows of the grant already. */
    boolean isFor(GrantNotice notice) {
        return entry.isPresent() && entry.get().place().number() == notice.number();
    }

    /** Leaves the router, and returns the entry, which may still be in the server's queue. */
    Optional<QueuePlace> leave() {
        Optional<QueuePlace> left = unreachable;
        if (entry.isPresent()) {
            router.leave(request, entry.get());
            left = Optional.of(entry.get().place());
            entry = Optional.empty();
        }
        unreachable = Optional.empty();
        return left;
    }
}
