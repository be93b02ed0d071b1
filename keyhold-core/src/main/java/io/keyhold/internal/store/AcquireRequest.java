package io.keyhold.internal.store;

/**
 * Asks for a lock.
 *
 * @param key its stored key
 * @param token who asks
 * @param leaseMillis how long the hold lasts; {@link #NO_EXPIRY} if for ever
 * @param ifFree what to do with a lock that nobody holds
 */
public record AcquireRequest(String key, String token, long leaseMillis, IfFree ifFree) {

    /** A lease that never ends. */
    public static final long NO_EXPIRY = 0;

    /** What to do with a lock that nobody holds. */
    public enum IfFree {
        /** Take it. */
        TAKE,
        /** Leave it: only a hold of this token goes on. */
        LEAVE
    }
}
