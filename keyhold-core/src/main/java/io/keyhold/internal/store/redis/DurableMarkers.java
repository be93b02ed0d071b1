package io.keyhold.internal.store.redis;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys that name the incarnation that may grant. A single server has one. A primary of a cluster has one for each of its slots: it has to be
 * in the slot of the lock, because a script may touch no other, and it moves with its slot to another primary, which it does not name.
 */
final class DurableMarkers {

    /** Of a primary of a cluster, at the moment; null for a single server. */
    private final @Nullable Supplier<List<Integer>> slots;

    private DurableMarkers(@Nullable Supplier<List<Integer>> slots) {
        this.slots = slots;
    }

    /** Returns the marker of a single server. */
    static DurableMarkers ofServer() {
        return new DurableMarkers(null);
    }

    /** Returns the markers of a primary that has these slots at the moment. */
    static DurableMarkers ofPrimary(Supplier<List<Integer>> slots) {
        return new DurableMarkers(slots);
    }

    /** Returns the marker for this lock. */
    String of(String lock) {
        return slots == null ? KeyNames.MARKER : KeyNames.marker(HashSlot.ofKey(lock));
    }

    /** Returns all markers of the server. */
    List<String> all() {
        return slots == null
                ? List.of(KeyNames.MARKER)
                : slots.get().stream().map(KeyNames::marker).toList();
    }
}
