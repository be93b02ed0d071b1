package io.keyhold.internal.lock;

import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Builds what the primitives ask for, beside {@link Subject#lock}. A read/write lock is a semaphore with a great many permits:
 * a reader takes one, a writer all of them.
 */
public final class Subjects {

    private Subjects() {}

    /** Builds the subject of several locks, in the order in which they are taken. A thread that holds it holds each of them. */
    public static Subject allOf(List<LockKey> keys) {
        List<Subject> locks = keys.stream().map(Subject::lock).toList();
        return new Subject(
                keys.stream().map(LockKey::name).collect(Collectors.joining(", ")),
                "locks " + keys.stream().map(LockKey::toString).collect(Collectors.joining(", ")),
                new Claim.Locks(keys.stream().map(LockKey::stored).toList(), List.of()),
                locks.stream().flatMap(lock -> lock.heldAs().stream()).toList(),
                locks.stream().flatMap(lock -> lock.obstacles().stream()).toList());
    }

    /** Builds the subject of a reader, whose permit does not count against the hold with the token {@code beside}. */
    static Subject read(LockKey key, Optional<String> beside) {
        String text = "read lock " + key;
        Claim claim = new Claim.Permits(key.stored(), 1, Limit.readWrite(), beside);
        Subject.Held held = reader(key);
        return new Subject(key.name(), text, claim, List.of(held), List.of(Subject.Obstacle.again(held, text)));
    }

    /** Builds the subject of a writer. */
    static Subject write(LockKey key) {
        String text = "write lock " + key;
        Claim claim = Claim.Permits.of(key.stored(), Limit.READ_WRITE, Limit.readWrite());
        Subject.Held held = writer(key);
        Subject.Obstacle upgrade = new Subject.Obstacle(
                reader(key),
                "read lock " + key + ", so waiting for the " + text
                        + " would deadlock; release the read lock first, and check again what was read under it");
        return new Subject(
                key.name(), text, claim, List.of(held), List.of(Subject.Obstacle.again(held, text), upgrade));
    }

    private static Subject.Held reader(LockKey key) {
        return new Subject.Held(Subject.Kind.READ, key.stored());
    }

    /** Returns what a thread that holds the write lock is known to hold. */
    static Subject.Held writer(LockKey key) {
        return new Subject.Held(Subject.Kind.WRITE, key.stored());
    }
}
