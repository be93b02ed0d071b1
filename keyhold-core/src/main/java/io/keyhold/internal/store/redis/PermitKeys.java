package io.keyhold.internal.store.redis;

/**
 * The keys of a semaphore; {@code permits.lua} says what is in them.
 *
 * @param holders its own key
 * @param state what else is known of it
 * @param waiters those who wait
 */
record PermitKeys(String holders, String state, String waiters) {

    static PermitKeys of(String semaphore) {
        return new PermitKeys(semaphore, KeyNames.permits(semaphore), KeyNames.waiters(semaphore));
    }

    /** Where the state has what a holder holds. */
    static String field(String token) {
        return ":" + token;
    }
}
