package io.keyhold;

import io.keyhold.internal.Preconditions;
import io.keyhold.internal.store.memory.MemoryStore;

/**
 * A place inside this JVM where locks live, shared by every client that is built with it. It needs no closing.
 *
 * @see KeyholdBuilder#inMemory(InMemorySpace)
 */
public final class InMemorySpace {

    private final MemoryStore store;

    private InMemorySpace(MemoryStore store) {
        this.store = store;
    }

    /**
     * Creates an empty space.
     *
     * @return the space
     */
    public static InMemorySpace create() {
        return create(KeyholdClock.system());
    }

    /**
     * Creates an empty space whose leases end by this clock.
     *
     * @param clock for example one that a test moves
     * @return the space
     */
    public static InMemorySpace create(KeyholdClock clock) {
        return new InMemorySpace(new MemoryStore(Preconditions.given(clock, "clock")));
    }

    MemoryStore store() {
        return store;
    }
}
