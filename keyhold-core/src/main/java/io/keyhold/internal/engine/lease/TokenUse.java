package io.keyhold.internal.engine.lease;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether the token of a hold was read by a user, or went on to the next hold by a local hand-over. Never both: a user who has
 * read it may release by it at any time, which would release the next hold (see {@link CohortHold}).
 */
final class TokenUse {

    private enum Use {
        NONE,
        READ,
        PASSED
    }

    private final AtomicReference<Use> use = new AtomicReference<>(Use.NONE);

    /** Marks the token as read. Returns whether it still belongs to this hold. */
    boolean read() {
        use.compareAndSet(Use.NONE, Use.READ);
        return !isPassed();
    }

    /** Passes the token on to the next hold, unless it was read. Returns whether it did. */
    boolean pass() {
        return use.compareAndSet(Use.NONE, Use.PASSED);
    }

    boolean isPassed() {
        return use.get() == Use.PASSED;
    }
}
