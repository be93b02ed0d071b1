package io.keyhold.internal.engine.lease;

import io.keyhold.internal.LockKey;
import io.keyhold.internal.store.Claim;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a request asks for and a lease holds.
 *
 * @param name its key or keys, as the user knows them
 * @param text the same in messages, such as {@code lock 'a'}
 * @param claim what to ask of the store
 * @param heldAs what a thread that holds it is known to hold; empty if a thread may hold several
 */
public record Subject(String name, String text, Claim claim, List<Held> heldAs) {

    /** Copies the list. */
    public Subject {
        heldAs = List.copyOf(heldAs);
    }

    /** The kind of a thread's hold on a key. */
    public enum Kind {
        /** A lock, by itself or as one of several. */
        LOCK("lock "),
        /** The read side of a read/write lock. */
        READ("read lock "),
        /** The write side. */
        WRITE("write lock ");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /** Something that a thread holds. A record and not a joined text, because keys may contain any separator. */
    public record Held(Kind kind, LockKey key) {

        @Override
        public String toString() {
            return kind.text + key;
        }
    }

    /** Returns the subject of a lock that a thread can hold once. */
    public static Subject lock(LockKey key) {
        return of(Kind.LOCK, key, new Claim.Lock(key.stored()));
    }

    /** Returns the subject of one key that a thread can hold once. */
    public static Subject of(Kind kind, LockKey key, Claim claim) {
        Held held = new Held(kind, key);
        return new Subject(key.name(), held.toString(), claim, List.of(held));
    }

    /** Returns this subject with another claim. */
    public Subject claiming(Claim other) {
        return new Subject(name, text, other, heldAs);
    }

    /** Returns why a thread that holds certain things would wait for itself, for a message: what it holds, and the cure. */
    Optional<String> deadlock(Predicate<Held> isHeld) {
        for (Held wanted : heldAs) {
            if (isHeld.test(wanted)) {
                return Optional.of(
                        wanted + " already, so waiting for it would deadlock; use asLock() for a reentrant lock, or"
                                + " Lease.detach() if another thread releases it");
            }
            if (wanted.kind() == Kind.WRITE) {
                Held read = new Held(Kind.READ, wanted.key());
                if (isHeld.test(read)) {
                    return Optional.of(read + ", so waiting for the " + wanted
                            + " would deadlock; release the read lock first, and check again what was read under it");
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return text;
    }
}
