package io.keyhold.internal.lock;

import io.keyhold.internal.engine.Operations;
import io.keyhold.internal.engine.lease.Subject;

/** What a lock is on. */
interface LockSubject {

    /** Whoever asks. */
    Subject plain();

    /** For a request of this thread, which may hold something that makes a difference. */
    default Subject forThisThread() {
        return plain();
    }

    /** Whether anyone holds it now. */
    boolean isHeld(Operations operations);
}
