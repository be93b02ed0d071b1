package io.keyhold.tests.contract.lock;

import io.keyhold.Keyhold;
import io.keyhold.inspect.LockSnapshot;

/** Those who wait at the store, as an operator sees them. */
public final class Line {

    private Line() {}

    /** Looks until exactly so many wait; the tests' own time limit ends it otherwise. */
    public static LockSnapshot await(Keyhold keyhold, String key, long waiting) {
        while (true) {
            LockSnapshot shown = keyhold.inspect().lock(key);
            if (shown.waiterCount() == waiting) {
                return shown;
            }
            if (Thread.interrupted()) { // That is how the time limit ends a test.
                throw new AssertionError("waiting for " + waiting + " in line, and there is " + shown);
            }
        }
    }
}
