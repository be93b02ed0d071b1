package io.keyhold;

/**
 * What is known of a loss.
 *
 * @param key the lock's key
 * @param token the token of the hold that was lost
 * @param fencingToken its fencing token
 * @param reason what happened
 * @param detail the same for people, with the present holder where it is known
 */
public record LeaseLost(String key, String token, long fencingToken, Reason reason, String detail) {

    /** Why a lease was lost. */
    public enum Reason {
        /** It ran out: a lease that is not renewed was held for longer than it is, or the machine slept. */
        EXPIRED,
        /** The server does not know it any more: the key was deleted, the server lost its memory, or it expired there. */
        GONE,
        /** Another token holds the lock, or another value stands in its place. */
        TAKEN,
        /** The server could not be reached in time to renew it. It may hold the lock still, but nobody can tell. */
        UNREACHABLE
    }
}
