package io.keyhold.internal.engine;

import io.keyhold.internal.LockKey;
import io.keyhold.internal.store.Claim;
import java.util.List;

/**
 * What a request is about, and a lease.
 *
 * @param name its key, or keys, as the user calls them
 * @param text the same in messages, such as {@code lock 'a'}
 * @param claim what to ask of the store
 * @param heldAs what a thread that holds it is known to hold; nothing if it may hold several
 * @param obstacles what a thread must not hold when it asks
 */
public record Subject(String name, String text, Claim claim, List<Held> heldAs, List<Obstacle> obstacles) {

    private static final String AGAIN =
            " already and would wait for itself; asLock() is reentrant, and Lease.detach() says"
                    + " that another thread will release";

    /** Whatever a thread holds, and however often. */
    public Subject {
        heldAs = List.copyOf(heldAs);
        obstacles = List.copyOf(obstacles);
    }

    /** What the keys that a thread holds are to it. */
    public enum Kind {
        /** A lock, by itself or as one of several. */
        LOCK,
        /** The read side of a read/write lock. */
        READ,
        /** The write side. */
        WRITE
    }

    /**
     * Something that a thread holds. A value and not a text: keys may contain anything, also what a text would be joined with. The methods
     * are written out because those that come with a record cost the first lock of a process 15 ms.
     *
     * @param kind what the key is to it
     * @param key the key, as the store calls it
     */
    public record Held(Kind kind, String key) {

        @Override
        public int hashCode() {
            return 31 * kind.hashCode() + key.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Held held && held.kind == kind && held.key.equals(key);
        }
    }

    /**
     * Something that a thread must not hold when it asks, because it would wait for itself.
     *
     * @param heldAs what it must not hold
     * @param reason the rest of the sentence that begins with "thread x holds"
     */
    public record Obstacle(Held heldAs, String reason) {

        /** The same again. */
        public static Obstacle again(Held heldAs, String text) {
            return new Obstacle(heldAs, text + AGAIN);
        }
    }

    /** A lock that a thread holds once. */
    public static Subject lock(LockKey key) {
        String text = "lock " + key;
        Held held = new Held(Kind.LOCK, key.stored());
        return new Subject(
                key.name(), text, new Claim.Lock(key.stored()), List.of(held), List.of(Obstacle.again(held, text)));
    }

    /** The same for another claim. */
    Subject claiming(Claim other) {
        return new Subject(name, text, other, heldAs, obstacles);
    }

    @Override
    public String toString() {
        return text;
    }
}
