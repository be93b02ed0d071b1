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
        return new Subject(
                keys.stream().map(LockKey::name).collect(Collectors.joining(", ")),
                "locks " + keys.stream().map(LockKey::toString).collect(Collectors.joining(", ")),
                new Claim.Locks(keys.stream().map(LockKey::stored).toList(), List.of()),
                keys.stream()
                        .map(key -> new Subject.Held(Subject.Kind.LOCK, key))
                        .toList());
    }

    /** Builds the subject of a reader, whose permit does not count against the hold with the token {@code beside}. */
    static Subject read(LockKey key, Optional<String> beside) {
        return Subject.of(Subject.Kind.READ, key, new Claim.Permits(key.stored(), 1, Limit.readWrite(), beside));
    }

    /** Builds the subject of a writer. */
    static Subject write(LockKey key) {
        Claim claim = Claim.Permits.of(key.stored(), Limit.READ_WRITE, Limit.readWrite());
        return Subject.of(Subject.Kind.WRITE, key, claim);
    }

    /** Returns what a thread that holds the write lock is known to hold. */
    static Subject.Held writer(LockKey key) {
        return new Subject.Held(Subject.Kind.WRITE, key);
    }
}
