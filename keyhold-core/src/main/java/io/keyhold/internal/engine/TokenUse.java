package io.keyhold.internal.engine;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a hold's token was read by somebody, or went on to the next hold of its turn. Never both: whoever has read it may
 * release by it at any time, and would release the next hold. (See {@link Turn}.)
 */
final class TokenUse {

    private enum Use {
        NONE,
        READ,
        PASSED
    }

    private final AtomicReference<Use> use = new AtomicReference<>(Use.NONE);

    /** Somebody reads the token. Answers whether it is this hold's still. */
    boolean read() {
        use.compareAndSet(Use.NONE, Use.READ);
        return !isPassed();
    }

    /** The token goes on to the next hold. Answers whether it may. */
    boolean pass() {
        return use.compareAndSet(Use.NONE, Use.PASSED);
    }

    boolean isPassed() {
        return use.get() == Use.PASSED;
    }
}
