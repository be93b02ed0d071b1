package io.keyhold.internal.store.redis;

/**
 * The name of every key that Keyhold writes, and of every channel; {@code docs/keys.md} lists them. Companions of a lock share its slot in a
 * cluster: they carry the key as their hash tag, or its own hash tag if it has one. (No hash tag can hold a closing
 * brace, so that a key with one outside a tag, or with an empty tag, has its companions elsewhere.)
 */
final class KeyNames {

    private static final String MARK = ":kh:";
    private static final String FENCE = "fence";
    private static final String QUEUE = "queue";
    private static final String PERMITS = "permits";
    private static final String WAITERS = "waiters";
    private static final String REIGN = "keyhold:kh:reign";
    private static final String INBOX = "keyhold:inbox:";

    private KeyNames() {}

    /** The record of the last grant. */
    static String fence(String lock) {
        return companion(lock, FENCE);
    }

    /** Those who wait. */
    static String queue(String lock) {
        return companion(lock, QUEUE);
    }

    /** What is known of a semaphore, beside its holders, who stand under its own key. */
    static String permits(String semaphore) {
        return companion(semaphore, PERMITS);
    }

    /** Those who wait for permits: not where those stand who wait for a lock of the same key, which is another thing. */
    static String waiters(String semaphore) {
        return companion(semaphore, WAITERS);
    }

    /** Which reign of a quorum's node may vote. One for the server; marked like a companion, so that no listing shows it. */
    static String reign() {
        return REIGN;
    }

    /** The channel of a client. No key, but named here all the same: access rules have to know of it. */
    static String inbox(String client) {
        return INBOX + client;
    }

    /** Whether this is a companion of some lock, rather than a lock. */
    static boolean isCompanion(String key) {
        return key.contains(MARK);
    }

    private static String companion(String lock, String name) {
        int open = lock.indexOf('{');
        int close = open < 0 ? -1 : lock.indexOf('}', open + 1);
        if (close <= open + 1) {
            return "{" + lock + "}" + MARK + name;
        }
        if (open == 0 && close == lock.length() - 1) {
            // {x} is nothing but a hash tag; without this its companions would be those of x.
            return lock + MARK + "tag" + MARK + name;
        }
        return lock + MARK + name;
    }
}
