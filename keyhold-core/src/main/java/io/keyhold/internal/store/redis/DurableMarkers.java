package io.keyhold.internal.store.redis;

import java.util.List;
import java.util.function.Supplier;

/**
 * The keys that name the incarnation that may grant. A single server has one. A primary of a cluster has one for each of its slots: it has to be
 * in the slot of the lock, because a script may touch no other, and it moves with its slot to another primary, which it does not name.
 */
interface DurableMarkers {

    /** Returns the marker for this lock. */
    String of(String lock);

    /** Returns all markers of the server. */
    List<String> all();

    /** Returns the marker of a single server. */
    static DurableMarkers ofServer() {
        return new DurableMarkers() {
            @Override
            public String of(String lock) {
                return KeyNames.MARKER;
            }

            @Override
            public List<String> all() {
                return List.of(KeyNames.MARKER);
            }
        };
    }

    /** Returns the markers of a primary that has these slots at the moment. */
    static DurableMarkers ofPrimary(Supplier<List<Integer>> slots) {
        return new DurableMarkers() {
            @Override
            public String of(String lock) {
                return KeyNames.marker(HashSlot.ofKey(lock));
            }

            @Override
            public List<String> all() {
                return slots.get().stream().map(KeyNames::marker).toList();
            }
        };
    }
}
