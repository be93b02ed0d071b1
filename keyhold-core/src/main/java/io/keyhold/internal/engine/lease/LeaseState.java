package io.keyhold.internal.engine.lease;

import io.keyhold.LeaseLost;
import org.jspecify.annotations.Nullable;

/** The state of a lease. A loss is part of it, so that a reader of the state {@code lost} always sees why. Compared by identity. */
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
