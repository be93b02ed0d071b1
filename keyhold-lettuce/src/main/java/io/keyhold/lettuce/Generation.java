package io.keyhold.lettuce;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections that were opened between two replies by which a server said that it does not serve. A reply on one of
 * them ends them all, but says nothing of those that were opened since.
 */
final class Generation {

    private final AtomicInteger newest;
    private final int number;

    /** The newest that the counter knows. */
    Generation(AtomicInteger newest) {
        this.newest = newest;
        this.number = newest.get();
    }

    boolean isCurrent() {
        return number == newest.get();
    }

    void end() {
        newest.compareAndSet(number, number + 1);
    }
}
