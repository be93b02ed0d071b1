package io.keyhold.internal.engine;

import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.QueuePlace;
import java.util.Optional;

/** Where a request stands in the store's queue, if it stands there, and what has arrived for that place. */
final class Standing {

    private final WaitingRoom room;
    private final Acquisition request;
    private Optional<QueuePlace> place = Optional.empty();
    /** The last place, if it had to be left because nothing arrives there any more. It may still be in the store's queue. */
    private Optional<QueuePlace> unreachable = Optional.empty();
    /** A grant that arrived before the answer to the request for it. */
    private Optional<GrantNotice> early = Optional.empty();

    Standing(WaitingRoom room, Acquisition request) {
        this.room = room;
        this.request = request;
    }

    /** Returns whether it may be in the store's queue. */
    boolean hasPlace() {
        return place.isPresent();
    }

    /** Returns whether it is in the store's queue and would hear of a grant. */
    boolean isInQueue() {
        return place.isPresent() && room.reach(place.get()) == InboxLine.Reach.ARRIVES;
    }

    boolean isFirst() {
        return room.isFirst(request);
    }

    /** What to ask of the store for a lock that is busy: a place, as soon as grants can arrive. */
    AcquireRequest.IfBusy ifBusy(String token) {
        AcquireRequest.Coming coming = AcquireRequest.Coming.AGAIN;
        if (place.isPresent()) {
            // While the channel is down it asks with its place all the same: a grant has to take that out of the queue,
            // or
            // the lock would be handed to it once more, when the request is over.
            if (room.reach(place.get()) == InboxLine.Reach.MOVED) {
                unreachable = leave();
            }
        }
        if (place.isEmpty()) {
            coming = AcquireRequest.Coming.FIRST;
            place = room.enter(request, token);
        }
        return place.isEmpty()
                ? AcquireRequest.IfBusy.GO_AWAY
                : new AcquireRequest.IfBusy(place, coming, room.answerFor(request, coming));
    }

    /** Whether the notice is for this place. It is not if the request was withdrawn, or knows of the grant already. */
    boolean isFor(GrantNotice notice) {
        return place.isPresent() && place.get().number() == notice.number();
    }

    /** Keeps a grant until the answer to the request is there. */
    void keep(GrantNotice notice) {
        early = Optional.of(notice);
    }

    /**
     * The grant that was kept, unless the answer was given after it: then the lock must have been lost again, and the answer
     * is the news.
     */
    Optional<GrantNotice> takeEarly(AcquireReply.Busy answer) {
        return takeEarly()
                .filter(grant ->
                        answer.atMicros().isEmpty() || answer.atMicros().getAsLong() <= grant.atMicros());
    }

    /** The grant that was kept, for a request that is not sent any more. */
    Optional<GrantNotice> takeEarly() {
        Optional<GrantNotice> kept = early;
        early = Optional.empty();
        return kept;
    }

    /** Leaves the room; answers the place, which may still be in the store's queue. */
    Optional<QueuePlace> leave() {
        place.ifPresent(standing -> room.leave(request, standing));
        Optional<QueuePlace> left = place.isPresent() ? place : unreachable;
        place = Optional.empty();
        unreachable = Optional.empty();
        early = Optional.empty();
        return left;
    }
}
