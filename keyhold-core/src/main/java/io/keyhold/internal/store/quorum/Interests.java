package io.keyhold.internal.store.quorum;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Questions under way by which a node may grant something to a token, whether they are decided or not. A lock may be given up before
 * a slow node has granted it: a grant that comes after that has to go back.
 */
final class Interests {

    private final Map<String, Set<Interest>> byToken = new ConcurrentHashMap<>();

    /** A question under way. */
    static final class Interest {

        private final String token;
        private volatile boolean alive = true;

        private Interest(String token) {
            this.token = token;
        }

        /** Whether what a node grants is wanted. */
        boolean isAlive() {
            return alive;
        }
    }

    Interest begin(String token) {
        Interest interest = new Interest(token);
        byToken.compute(token, (same, known) -> {
            Set<Interest> all = known != null ? known : new HashSet<>();
            all.add(interest);
            return all;
        });
        return interest;
    }

    /** All nodes have answered. */
    void end(Interest interest) {
        byToken.computeIfPresent(interest.token, (same, all) -> {
            all.remove(interest);
            return all.isEmpty() ? null : all;
        });
    }

    /** What this token holds is given up, and so is whatever a node grants to it from now on. */
    void released(String token) {
        byToken.computeIfPresent(token, (same, all) -> {
            all.forEach(interest -> interest.alive = false);
            return all;
        });
    }
}
