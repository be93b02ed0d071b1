package io.keyhold.internal.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fencing tokens that were given out, and to whom. */
final class Tokens {

    private final Simulation simulation;
    private final Map<String, Long> largest = new HashMap<>();
    private final Map<String, Map<Long, String>> owners = new HashMap<>();

    Tokens(Simulation simulation) {
        this.simulation = simulation;
    }

    /** The largest token of these keys so far. */
    long largest(List<String> keys) {
        return keys.stream()
                .mapToLong(key -> largest.getOrDefault(key, 0L))
                .max()
                .orElse(0);
    }

    /** {@code floor} is the largest token when this one was asked for. */
    void granted(List<String> keys, String owner, long token, long floor) {
        if (token <= floor) {
            simulation.violated("token " + token + " of " + owner + " is not above " + floor
                    + ", which was issued before its request began");
        }
        for (String key : keys) {
            String known = owners.computeIfAbsent(key, none -> new HashMap<>()).putIfAbsent(token, owner);
            if (known != null && !known.equals(owner)) {
                simulation.violated("token " + token + " of " + key + " was issued to " + known + " and to " + owner);
            }
            largest.merge(key, token, Math::max);
        }
    }
}
