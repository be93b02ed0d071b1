package io.keyhold.internal.store;

/**
 * Asks for more time.
 *
 * @param key the lock's stored key
 * @param token who holds it
 * @param leaseMillis how long the hold lasts at least, from now; with {@link AcquireRequest#NO_EXPIRY} only whether it
 *     is still held is asked
 */
public record RenewRequest(String key, String token, long leaseMillis) {}
