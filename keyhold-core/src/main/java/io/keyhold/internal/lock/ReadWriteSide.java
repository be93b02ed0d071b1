package io.keyhold.internal.lock;

import io.keyhold.inspect.LockMode;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.engine.Subject;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.Limit;
import java.util.List;
import java.util.Optional;

/**
 * One side of a read/write lock, which is a semaphore with a great many permits: a reader takes one, a writer all of them.
 */
enum ReadWriteSide {
    READ("read", 1, LockMode.SHARED, Subject.Kind.READ),
    WRITE("write", Limit.READ_WRITE, LockMode.EXCLUSIVE, Subject.Kind.WRITE);

    private final String word;
    private final int permits;
    private final LockMode mode;
    private final Subject.Kind kind;

    ReadWriteSide(String word, int permits, LockMode mode, Subject.Kind kind) {
        this.word = word;
        this.permits = permits;
        this.mode = mode;
        this.kind = kind;
    }

    /** What a thread that holds this side is known to hold. */
    private Subject.Held heldAs(LockKey key) {
        return new Subject.Held(kind, key.stored());
    }

    private String text(LockKey key) {
        return word + " lock " + key;
    }

    /** For whoever holds a hold beside it. */
    Subject subject(LockKey key, Optional<String> beside) {
        Subject.Obstacle again = Subject.Obstacle.again(heldAs(key), text(key));
        Subject.Obstacle upgrade = new Subject.Obstacle(
                READ.heldAs(key),
                READ.text(key) + " and asks for the " + text(key)
                        + ": it would wait for itself, so release it first, and look" + " again at what was read");
        return new Subject(
                key.name(),
                text(key),
                new Claim.Permits(key.stored(), permits, Limit.readWrite(), beside),
                List.of(heldAs(key)),
                this == WRITE ? List.of(again, upgrade) : List.of(again));
    }

    LockSubject of(LockKey key, Operations operations) {
        ReadWriteSide side = this;
        return new LockSubject() {
            @Override
            public Subject plain() {
                return subject(key, Optional.empty());
            }

            /** A thread that writes may read beside that. */
            @Override
            public Subject forThisThread() {
                return side == READ ? subject(key, operations.heldHere(WRITE.heldAs(key))) : plain();
            }

            @Override
            public boolean isHeld(Operations same) {
                return same.lookAtPermits(key).stream()
                        .flatMap(seen -> seen.holders().stream())
                        .anyMatch(holder -> holder.mode() == side.mode);
            }
        };
    }
}
