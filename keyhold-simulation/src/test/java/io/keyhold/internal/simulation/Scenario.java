package io.keyhold.internal.simulation;

import java.util.EnumSet;
import java.util.Set;

/**
 * What is simulated.
 *
 * @param kind of what, and on how many nodes
 * @param faults what may go wrong
 */
record Scenario(Kind kind, Set<Fault> faults) {

    enum Kind {
        QUORUM,
        MUTEX,
        SEMAPHORE,
        READ_WRITE,
        ALL_OF,
        /** A lock on a master with replicas, with durable grants. */
        DURABLE
    }

    enum Fault {
        /** Connections break, and requests in flight are executed or not. */
        CUTS,
        /** For a while nothing arrives; then everything does. */
        STALLS,
        /** A request whose reply was lost with its connection is executed twice. */
        TWICE,
        /** Messages on grant channels are lost. */
        LOST_MESSAGES,
        /** Nodes go down, and return with their data. */
        CRASHES,
        /** Nodes return without their data. */
        AMNESIA,
        /** Other servers take over, with all data; channels and connections may stay at the old ones, which are replicas then. */
        FAILOVERS,
        /** Replicas are promoted, also those that lag; masters go on beside them for a while. */
        PROMOTIONS,
        /** Nothing arrives at replicas for a while. */
        LAG,
        /** Servers close connections that are idle, and clients do not notice before they use them. */
        IDLE_CLOSES,
        /** Requests wait in the client's own queue before they are sent, for longer than a lease. */
        BACKLOG,
        /** Clients stop, between any two steps. */
        PAUSES,
        /** Clients die. */
        DEATHS,
        /** Clocks differ in speed, within the allowance. */
        DRIFT,
        /** Clocks are set, leap, and run as they like. */
        WILD_CLOCKS
    }

    /** Only delays. */
    static Scenario calm(Kind kind) {
        return new Scenario(kind, EnumSet.noneOf(Fault.class));
    }

    /** Everything that the promises allow for. */
    static Scenario chaos(Kind kind) {
        EnumSet<Fault> faults = EnumSet.allOf(Fault.class);
        faults.remove(Fault.WILD_CLOCKS);
        if (kind != Kind.QUORUM && kind != Kind.DURABLE) {
            faults.remove(Fault.AMNESIA);
        }
        // Servers with replicas fail over to those.
        faults.removeAll(
                kind == Kind.DURABLE
                        ? EnumSet.of(Fault.FAILOVERS, Fault.BACKLOG)
                        : EnumSet.of(Fault.PROMOTIONS, Fault.LAG));
        return new Scenario(kind, faults);
    }

    /** More than the promise of exclusion allows for: fencing has to hold alone. */
    static Scenario wild(Kind kind) {
        Set<Fault> faults = EnumSet.copyOf(chaos(kind).faults());
        faults.add(Fault.WILD_CLOCKS);
        faults.remove(Fault.AMNESIA);
        return new Scenario(kind, faults);
    }

    /** One thing that goes wrong, by itself. */
    static Scenario of(Kind kind, Fault first, Fault... more) {
        return new Scenario(kind, EnumSet.of(first, more));
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    /** Whether this is the only thing that goes wrong. */
    boolean isOnly(Fault fault) {
        return faults.equals(EnumSet.of(fault));
    }

    /** Whether at most one holder is promised: not by clocks that run as they like, nor by one server that loses its data. */
    boolean promisesExclusion() {
        return !has(Fault.WILD_CLOCKS) && !losesLocks();
    }

    /** Whether a lock may be gone while it is held. */
    boolean losesLocks() {
        return kind != Kind.QUORUM && kind != Kind.DURABLE && has(Fault.AMNESIA);
    }

    @Override
    public String toString() {
        return kind + " " + faults;
    }
}
