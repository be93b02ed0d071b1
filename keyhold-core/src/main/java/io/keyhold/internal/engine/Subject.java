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
public record Subject(String name, String text, Claim claim, List<String> heldAs, List<Obstacle> obstacles) {

    private static final String AGAIN =
            " already and would wait for itself; asLock() is reentrant, and Lease.detach() says"
                    + " that another thread will release";

    /** Whatever a thread holds, and however often. */
    public Subject {
        heldAs = List.copyOf(heldAs);
        obstacles = List.copyOf(obstacles);
    }

    /**
     * Something that a thread must not hold when it asks, because it would wait for itself.
     *
     * @param heldAs what it must not hold
     * @param reason the rest of the sentence that begins with "thread x holds"
     */
    public record Obstacle(String heldAs, String reason) {

        /** The same again. */
        public static Obstacle again(String heldAs, String text) {
            return new Obstacle(heldAs, text + AGAIN);
        }
    }

    /** A lock that a thread holds once. */
    public static Subject lock(LockKey key) {
        String text = "lock " + key;
        return new Subject(
                key.name(),
                text,
                new Claim.Lock(key.stored()),
                List.of(key.stored()),
                List.of(Obstacle.again(key.stored(), text)));
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
