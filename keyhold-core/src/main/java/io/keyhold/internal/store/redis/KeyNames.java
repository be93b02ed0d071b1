package io.keyhold.internal.store.redis;

import io.keyhold.internal.Preconditions;

/**
 * The name of every key that Keyhold writes, and of every channel; {@code docs/keys.md} lists them.
 *
 * <p>A companion begins with a hash tag of its lock's slot, so that both live on one node of a cluster. A hash tag cannot contain a closing
 * brace, so the key itself cannot always be the tag:
 *
 * <ul>
 *   <li>a key with a hash tag, {@code {user:1}:lock}, has {@code {user:1}:kh:queue:{user:1}:lock}
 *   <li>any other key without a closing brace, {@code invoice:42}, is the tag: {@code {invoice:42}:kh:queue}
 *   <li>any other key, {@code x}y}, borrows a number that hashes to the same slot: {@code {4711}:kh:queue:x}y}
 * </ul>
 *
 * <p>The fencing counter is no companion of one key, but of a slot: {@code {4711}:kh:fence}, with the slot's number.
 *
 * <p>No two keys share a companion: the tag ends at the first closing brace, the name after the mark has no colon, and what follows is the
 * key, or nothing if the key is the tag. No key is a companion: {@link Preconditions} refuses keys that contain the mark.
 */
final class KeyNames {

    /** The incarnation that may vote. There is one per server, marked like a companion, so that no listing shows it. */
    static final String INCARNATION = "keyhold:kh:incarnation";

    /** The incarnation that may grant durably, on one server. */
    static final String MARKER = "keyhold:kh:durable";

    private KeyNames() {}

    /** Returns the fencing counter, which all locks and semaphores of a hash slot share. */
    static String counter(String lock) {
        return "{" + HashSlot.tag(HashSlot.hashTag(lock).orElse(lock)) + "}" + Preconditions.MARK + "fence";
    }

    /** Returns where the holder's token is while requests wait. */
    static String last(String lock) {
        return companion(lock, "last");
    }

    /** Returns the queue of a lock. */
    static String queue(String lock) {
        return companion(lock, "queue");
    }

    /** Returns the state of a semaphore; its holders are under its own key. */
    static String permits(String semaphore) {
        return companion(semaphore, "permits");
    }

    /** Returns the queue of a semaphore, which differs from that of a lock with the same key. */
    static String waiters(String semaphore) {
        return companion(semaphore, "waiters");
    }

    /** Returns the channel of a client. Not a key, but named here as well: access rules have to allow it. */
    static String grantChannel(String client) {
        return "keyhold:grants:" + client;
    }

    /** Returns whether this is a companion of some lock, rather than a lock. */
    static boolean isCompanion(String key) {
        return key.contains(Preconditions.MARK);
    }

    private static String companion(String lock, String name) {
        if (lock.indexOf('}') < 0) {
            return "{" + lock + "}" + Preconditions.MARK + name;
        }
        return "{" + HashSlot.hashTag(lock).orElseGet(() -> HashSlot.tag(lock)) + "}" + Preconditions.MARK + name + ":"
                + lock;
    }
}
