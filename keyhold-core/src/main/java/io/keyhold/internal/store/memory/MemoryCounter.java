package io.keyhold.internal.store.memory;

import io.keyhold.internal.store.LockValue;

/** The fencing counter of a {@link MemoryStore}, under its guard: one for all keys, so that nothing is kept for each of them. */
final class MemoryCounter {

    private long last;

    /** Returns the next fencing token, not below this number. */
    long next(long atLeast) {
        last = LockValue.next(last, atLeast);
        return last;
    }

    /** Makes later tokens larger than this number. */
    void raise(long number) {
        last = Math.max(last, number);
    }
}
