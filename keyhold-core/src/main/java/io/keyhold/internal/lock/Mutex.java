package io.keyhold.internal.lock;

import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.engine.Subject;

/** The lock on one key, which one client holds at a time. */
record Mutex(LockKey key) implements LockSubject {

    @Override
    public Subject plain() {
        return Subject.lock(key);
    }

    @Override
    public boolean isHeld(Operations operations) {
        return operations.look(key).isHeld();
    }
}
