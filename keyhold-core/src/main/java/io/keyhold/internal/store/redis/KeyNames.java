package io.keyhold.internal.store.redis;

import io.keyhold.internal.Preconditions;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

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
 * <p>The fencing counter is no companion of one key, but of a slot: {@code {4711}:kh:fence}, with a number that hashes to the slot. So is the
 * marker of durable grants in a cluster: {@code {4711}:kh:durable}.
 *
 * <p>No two keys share a companion: the tag ends at the first closing brace, the name after the mark has no colon, and what follows is the
 * key, or nothing if the key is the tag. No key is a companion: {@link Preconditions} refuses keys that contain the mark.
 *
 * <p>Each name is made when it is first needed. The names of some hundred keys that were used lately are remembered: making them took a
 * seventh of all that core does for a hold.
 */
final class KeyNames {

    /** The incarnation that may vote. There is one per server, marked like a companion, so that no listing shows it. */
    static final String INCARNATION = "keyhold:kh:incarnation";

    /** The incarnation that may grant durably, on one server. */
    static final String MARKER = "keyhold:kh:durable";

    /** A power of two. */
    private static final int REMEMBERED = 256;

    /** Each key has one place, by its hash, where the next key of that place replaces it. */
    private static final AtomicReferenceArray<@Nullable KeyNames> LATELY = new AtomicReferenceArray<>(REMEMBERED);

    private static final int COUNTER = 0;
    private static final int LAST = 1;
    private static final int QUEUE = 2;
    private static final int PERMITS = 3;
    private static final int WAITERS = 4;

    private final String key;
    /** Threads that race make the same text, which is safe to share without volatile. */
    private final @Nullable String[] made = new String[WAITERS + 1];

    private KeyNames(String key) {
        this.key = key;
    }

    /** Returns the names for a lock or a semaphore with this key. */
    static KeyNames of(String key) {
        int hash = key.hashCode();
        int place = (hash ^ hash >>> 16) & REMEMBERED - 1;
        KeyNames lately = LATELY.get(place);
        if (lately != null && lately.key.equals(key)) {
            return lately;
        }
        KeyNames names = new KeyNames(key);
        LATELY.set(place, names);
        return names;
    }

    /** Returns the fencing counter, which all locks and semaphores of a hash slot share. */
    String counter() {
        String known = made[COUNTER];
        if (known == null) {
            known = ofSlot(HashSlot.ofKey(key), "fence");
            made[COUNTER] = known;
        }
        return known;
    }

    /** Returns the incarnation that may grant durably in this slot of a cluster. */
    static String marker(int slot) {
        return ofSlot(slot, "durable");
    }

    private static String ofSlot(int slot, String name) {
        return "{" + HashSlot.tag(slot) + "}" + Preconditions.MARK + name;
    }

    /** Returns where the holder's token is while requests wait. */
    String last() {
        return companion(LAST, "last");
    }

    /** Returns the queue of a lock. */
    String queue() {
        return companion(QUEUE, "queue");
    }

    /** Returns the state of a semaphore; its holders are under its own key. */
    String permits() {
        return companion(PERMITS, "permits");
    }

    /** Returns the queue of a semaphore, which differs from that of a lock with the same key. */
    String waiters() {
        return companion(WAITERS, "waiters");
    }

    /** Returns the channel of a client. Not a key, but named here as well: access rules have to allow it. */
    static String grantChannel(String client) {
        return "keyhold:grants:" + client;
    }

    /** Returns whether this is a companion of some lock, rather than a lock. */
    static boolean isCompanion(String key) {
        return key.contains(Preconditions.MARK);
    }

    private String companion(int index, String name) {
        String known = made[index];
        if (known == null) {
            known = key.indexOf('}') < 0
                    ? "{" + key + "}" + Preconditions.MARK + name
                    : "{" + HashSlot.hashTag(key).orElseGet(() -> HashSlot.tag(key)) + "}" + Preconditions.MARK + name
                            + ":" + key;
            made[index] = known;
        }
        return known;
    }
}
