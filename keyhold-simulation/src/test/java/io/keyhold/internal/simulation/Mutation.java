package io.keyhold.internal.simulation;

import io.keyhold.Durability;
import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.LockStore;
import java.util.List;
import java.util.function.Function;

/** A change to the code that breaks it, to see that the simulation finds it. */
interface Mutation {

    /** None. */
    Mutation NONE = new Mutation() {};

    /** What a server does. */
    default NodeStore server(NodeStore right, SimulatedNode node) {
        return right;
    }

    /** What a client believes of its store. */
    default LockStore store(LockStore right, KeyholdClock clock) {
        return right;
    }

    /** What a client believes of the time. */
    default KeyholdClock clock(KeyholdClock right) {
        return right;
    }

    /** Whether the resource checks fencing tokens. */
    default boolean guards() {
        return true;
    }

    /** Whether a connection that was idle is checked before it carries a release. */
    default boolean checksIdleConnections() {
        return true;
    }

    /** Whether a {@code WAIT} behind this script waits; otherwise it replies at once that enough replicas have acknowledged. */
    default boolean waitsBehind(String script) {
        return true;
    }

    /** Whether scripts that acquire compare the marker with the incarnation of the server. */
    default boolean comparesMarker() {
        return true;
    }

    /** How many replicas must acknowledge. */
    default Durability durability(Durability right) {
        return right;
    }

    /** How a client makes one store of its nodes. */
    default LockStore quorum(List<NodeStore> nodes, Function<List<NodeStore>, LockStore> right, String client) {
        return right.apply(nodes);
    }
}
