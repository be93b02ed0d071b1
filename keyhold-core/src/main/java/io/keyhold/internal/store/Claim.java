package io.keyhold.internal.store;

import io.keyhold.internal.Formats;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a request wants of a store, or a token holds there. */
public sealed interface Claim {

    /** Returns its stored key; of several the first. */
    String key();

    /** Returns all of its stored keys. */
    default List<String> keys() {
        return List.of(key());
    }

    /** Returns what it is of, for messages: {@code lock}, {@code semaphore}, {@code read lock} or {@code write lock}. */
    default String noun() {
        return "lock";
    }

    /** Returns what it is of with its keys, for messages: {@code lock 'a'}. */
    default String text() {
        String quoted =
                keys().stream().map(key -> "'" + Formats.cut(key, 80) + "'").collect(Collectors.joining(", "));
        return noun() + (keys().size() > 1 ? "s " : " ") + Formats.cut(quoted, 300);
    }

    /** Returns how many permits it is for; 1 for a lock. */
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
     * @param beside the token of another hold of the requester, whose permits do not count against this claim
     */
    record Permits(String key, int permits, Limit limit, Optional<String> beside) implements Claim {

        /** Creates the claim of a requester that holds nothing else there. */
        public static Permits of(String key, int permits, Limit limit) {
            return new Permits(key, permits, limit, Optional.empty());
        }

        @Override
        public String noun() {
            if (limit.permits() != Limit.READ_WRITE) {
                return "semaphore";
            }
            return permits == Limit.READ_WRITE ? "write lock" : "read lock";
        }
    }

    /**
     * Several locks, all or none of them.
     *
     * @param keys their stored keys, sorted and different
     * @param parts tokens by which the requester holds them already, one by one, in the order of the keys; empty if it
     *     holds none
     */
    record Locks(List<String> keys, List<String> parts) implements Claim {

        /** Copies both lists. */
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
