package io.keyhold;

/**
 * What is known of the loss of a lease.
 *
 * @param key the key of the lock or semaphore
 * @param token the token of the hold that was lost
 * @param fencingToken its fencing token
 * @param reason what happened
 * @param detail the same for people, with the present holder where it is known
 * @see Lease#lost()
 */
public record LeaseLost(String key, String token, long fencingToken, Reason reason, String detail) {

    /** Why a lease was lost. */
    public enum Reason {
        /** It ran out: a lease that is not renewed was held for longer than its length, or the machine was suspended. */
        EXPIRED,
        /** The server no longer knows it: the key was deleted, the server lost its data, or it expired there. */
        GONE,
        /** Another token holds the lock, or another value is in its place. */
        TAKEN,
        /** The server could not be reached in time to renew it. It may still hold the lock; that cannot be known. */
        UNREACHABLE
    }
}
