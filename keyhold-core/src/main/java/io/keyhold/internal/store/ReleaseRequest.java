package io.keyhold.internal.store;

import java.util.Optional;

/**
 * Releases a hold, and withdraws an entry from its queue.
 *
 * @param claim what is held
 * @param token the token that holds it, or waits for it
 * @param fencingToken what the store granted with the token, which makes the release cheaper; 0 if that is unknown
 * @param place the entry in the queue, if there is one
 * @param channel where grants reach the client that releases: the reply of a store may carry a grant to one of the client's own waiters
 *     instead ({@link HoldReply.Done#grants}); empty if every grant has to be a message
 * @param restMillis how long what was held stays taken after that; 0 to free it at once
 */
public record ReleaseRequest(
        Claim claim,
        String token,
        long fencingToken,
        Optional<QueuePlace> place,
        Optional<String> channel,
        long restMillis) {

    /** Returns a request whose grants all have to be messages. */
    public ReleaseRequest(Claim claim, String token, Optional<QueuePlace> place) {
        this(claim, token, 0, place, Optional.empty(), 0);
    }

    /** Returns the request of a token that does not wait. */
    public static ReleaseRequest of(Claim claim, String token) {
        return of(claim, token, 0);
    }

    /** Returns the request of a token that does not wait, and was granted with this fencing token. */
    public static ReleaseRequest of(Claim claim, String token, long fencingToken) {
        return new ReleaseRequest(claim, token, fencingToken, Optional.empty(), Optional.empty(), 0);
    }

    /** Returns this request for a client that takes grants to its waiters from the reply. */
    public ReleaseRequest replyingTo(Optional<String> address) {
        return new ReleaseRequest(claim, token, fencingToken, place, address, restMillis);
    }

    /** Returns this request with another entry. */
    public ReleaseRequest at(Optional<QueuePlace> entry) {
        return new ReleaseRequest(claim, token, fencingToken, entry, channel, restMillis);
    }

    /** Returns this request with another rest. */
    public ReleaseRequest resting(long millis) {
        return new ReleaseRequest(claim, token, fencingToken, place, channel, millis);
    }

    /** Returns whether what was held stays taken for a while. */
    public boolean rests() {
        return restMillis > 0;
    }

    /** Returns the request that does the work of both: neither may end the other's rest. */
    ReleaseRequest and(ReleaseRequest other) {
        return (other.place.isPresent() ? at(other.place) : this).resting(Math.max(restMillis, other.restMillis));
    }
}
