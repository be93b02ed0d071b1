package io.keyhold.internal.store;

import java.util.List;
import java.util.Optional;

/** What somebody wants of a store, or holds there. */
public sealed interface Claim {

    /** Its stored key; of several the first. */
    String key();

    /** All of its stored keys. */
    default List<String> keys() {
        return List.of(key());
    }

    /** How many permits it is for; 1 for a lock. */
    default int permits() {
        return 1;
    }

    /** One lock. */
    record Lock(String key) implements Claim {}

    /**
     * Permits of a semaphore.
     *
     * @param key its stored key
     * @param permits how many
     * @param limit how many there are
     * @param beside another hold of whoever asks: its permits do not count against this claim
     */
    record Permits(String key, int permits, Limit limit, Optional<String> beside) implements Claim {

        /** Of whoever holds nothing else there. */
        public static Permits of(String key, int permits, Limit limit) {
            return new Permits(key, permits, limit, Optional.empty());
        }
    }

    /**
     * Several locks, all or none of them.
     *
     * @param keys their stored keys, sorted and different
     * @param parts tokens by which whoever asks holds them already, one by one, in the order of the keys; empty if it holds
     *     none
     */
    record Locks(List<String> keys, List<String> parts) implements Claim {

        /** Their keys and tokens. */
        public Locks {
            keys = List.copyOf(keys);
            parts = List.copyOf(parts);
        }

        @Override
        public String key() {
            return keys.get(0);
        }
    }
}
