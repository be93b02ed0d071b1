package io.keyhold.internal.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Something that refuses tokens smaller than the largest it has seen. What it takes must be in order, whatever locks do. */
final class GuardedResource {

    private final List<Hold> taken = new ArrayList<>();
    private final boolean guards;
    private long largest;

    GuardedResource(boolean guards) {
        this.guards = guards;
    }

    /** Answers whose write this write went over, though that was certainly granted later. */
    Optional<Hold> write(Hold hold) {
        if (guards && hold.fencingToken < largest) {
            return Optional.empty();
        }
        largest = hold.fencingToken;
        Optional<Hold> newer = taken.stream()
                // At one instant of simulated time a lock can pass through many hands: then nothing is certain.
                .filter(other -> hold.issued < other.began && other != hold)
                .findFirst();
        taken.add(hold);
        return newer;
    }
}
