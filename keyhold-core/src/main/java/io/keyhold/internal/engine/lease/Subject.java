package io.keyhold.internal.engine.lease;

import io.keyhold.internal.LockKey;
import io.keyhold.internal.store.Claim;
import java.util.List;

/**
 * What a request asks for and a lease holds.
 *
 * @param name its key or keys, as the user knows them
 * @param text the same in messages, such as {@code lock 'a'}
 * @param claim what to ask of the store
 * @param heldAs what a thread that holds it is known to hold; empty if a thread may hold several
 * @param obstacles what a thread must not hold when it acquires it
 */
public record Subject(String name, String text, Claim claim, List<Held> heldAs, List<Obstacle> obstacles) {

    private static final String AGAIN =
            " already, so waiting for it would deadlock; use asLock() for a reentrant lock, or Lease.detach() if another"
                    + " thread releases it";

    /** Copies the lists. */
    public Subject {
        heldAs = List.copyOf(heldAs);
        obstacles = List.copyOf(obstacles);
    }

    /** The kind of a thread's hold on a key. */
    public enum Kind {
        /** A lock, by itself or as one of several. */
        LOCK,
        /** The read side of a read/write lock. */
        READ,
        /** The write side. */
        WRITE
    }

    /**
     * Something that a thread holds. A record and not a joined text, because keys may contain any separator.
     *
     * @param kind the kind of the hold
     * @param key the key, as the store knows it
     */
    public record Held(Kind kind, String key) {}

    /**
     * Something that a thread must not hold when it acquires a subject, because it would deadlock.
     *
     * @param heldAs what it must not hold
     * @param reason the rest of the sentence that begins with "thread x holds"
     */
    public record Obstacle(Held heldAs, String reason) {

        /** Returns the obstacle of a thread that already holds the same. */
        public static Obstacle again(Held heldAs, String text) {
            return new Obstacle(heldAs, text + AGAIN);
        }
    }

    /** Returns the subject of a lock that a thread can hold once. */
    public static Subject lock(LockKey key) {
        String text = "lock " + key;
        Held held = new Held(Kind.LOCK, key.stored());
        return new Subject(
                key.name(), text, new Claim.Lock(key.stored()), List.of(held), List.of(Obstacle.again(held, text)));
    }

    /** Returns this subject with another claim. */
    public Subject claiming(Claim other) {
        return new Subject(name, text, other, heldAs, obstacles);
    }

    @Override
    public String toString() {
        return text;
    }
}
