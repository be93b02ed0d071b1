package io.keyhold.internal.lock;

import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.engine.Subject;
import io.keyhold.internal.store.Claim;
import java.util.List;
import java.util.stream.Collectors;

/** The locks on several keys as one. A thread that holds it holds each of them. */
record AllOf(List<LockKey> keys) implements LockSubject {

    /** In the order in which they are taken. */
    AllOf {
        keys = List.copyOf(keys);
    }

    @Override
    public Subject plain() {
        List<String> stored = keys.stream().map(LockKey::stored).toList();
        return new Subject(
                keys.stream().map(LockKey::name).collect(Collectors.joining(", ")),
                "locks " + keys.stream().map(LockKey::toString).collect(Collectors.joining(", ")),
                new Claim.Locks(stored, List.of()),
                keys.stream().map(AllOf::held).toList(),
                keys.stream()
                        .map(key -> Subject.Obstacle.again(held(key), "lock " + key))
                        .toList());
    }

    private static Subject.Held held(LockKey key) {
        return new Subject.Held(Subject.Kind.LOCK, key.stored());
    }

    /** If it is held in part, it cannot be had. */
    @Override
    public boolean isHeld(Operations operations) {
        return keys.stream().anyMatch(key -> operations.look(key).isHeld());
    }
}
