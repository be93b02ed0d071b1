package io.keyhold.internal.store.memory;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * When a hold ends, by the monotonic clock, whose readings may only be compared by their difference.
 *
 * @param never whether it does not end by itself
 * @param atNanos when it does, otherwise
 */
record MemoryEnd(boolean never, long atNanos) implements Comparable<MemoryEnd> {

    boolean isOver(long nowNanos) {
        return !never && atNanos - nowNanos <= 0;
    }

    OptionalLong remainingMillis(long nowNanos) {
        return never
                ? OptionalLong.empty()
                : OptionalLong.of(Duration.ofNanos(atNanos - nowNanos).toMillis());
    }

    MemoryEnd orLater(MemoryEnd other) {
        return compareTo(other) < 0 ? other : this;
    }

    @Override
    public int compareTo(MemoryEnd other) {
        return never || other.never ? Boolean.compare(never, other.never) : Long.signum(atNanos - other.atNanos);
    }
}
