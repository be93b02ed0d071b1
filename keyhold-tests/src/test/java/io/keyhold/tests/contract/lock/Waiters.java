package io.keyhold.tests.contract.lock;

import io.keyhold.Keyhold;
import io.keyhold.inspect.LockSnapshot;

/** The waiters at the store, as an operator sees them. */
public final class Waiters {

    private Waiters() {}

    /** Returns when exactly this many wait; otherwise the time limit of the test ends it. */
    public static LockSnapshot await(Keyhold keyhold, String key, long waiting) {
        while (true) {
            LockSnapshot shown = keyhold.inspect().lock(key);
            if (shown.waiterCount() == waiting) {
                return shown;
            }
            if (Thread.interrupted()) { // The time limit of a test interrupts it.
                throw new AssertionError("expected " + waiting + " waiters, was " + shown);
            }
        }
    }
}
