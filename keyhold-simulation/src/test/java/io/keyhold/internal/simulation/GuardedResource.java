package io.keyhold.internal.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A resource that refuses tokens smaller than the largest it has seen. What it accepts must be in order, also when locks fail. */
final class GuardedResource {

    private final List<Hold> taken = new ArrayList<>();
    private final boolean guards;
    private long largest;

    GuardedResource(boolean guards) {
        this.guards = guards;
    }

    /** Returns the hold whose write this write replaced, if that was certainly granted later. */
    Optional<Hold> write(Hold hold) {
        if (guards && hold.fencingToken < largest) {
            return Optional.empty();
        }
        largest = hold.fencingToken;
        Optional<Hold> newer = taken.stream()
                // At one instant of simulated time a lock can have many holders in turn: then nothing is certain.
                .filter(other -> hold.issued < other.began && other != hold)
                .findFirst();
        taken.add(hold);
        return newer;
    }
}
