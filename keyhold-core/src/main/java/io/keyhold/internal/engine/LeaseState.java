package io.keyhold.internal.engine;

import io.keyhold.LeaseLost;
import org.jspecify.annotations.Nullable;

/** Where a lease is in its life. A loss is part of the state: whoever sees that it was lost sees how. Compared by identity. */
final class LeaseState {

    static final LeaseState HELD = new LeaseState("held", null);
    static final LeaseState RELEASED = new LeaseState("released", null);
    static final LeaseState HANDED_OFF = new LeaseState("handed off", null);

    final String name;
    final @Nullable LeaseLost loss;

    private LeaseState(String name, @Nullable LeaseLost loss) {
        this.name = name;
        this.loss = loss;
    }

    static LeaseState lost(LeaseLost loss) {
        return new LeaseState("lost", loss);
    }
}
