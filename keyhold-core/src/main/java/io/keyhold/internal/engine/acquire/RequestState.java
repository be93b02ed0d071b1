package io.keyhold.internal.engine.acquire;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The states of a request. The table below has every transition; {@code docs/architecture.md} shows it as a diagram, and
 * {@code spec/} models the part between {@link #QUEUED} and the server.
 */
enum RequestState {
    /** Waits behind other requests of this client for the same key, or has not started. Nothing was sent. */
    LOCAL_QUEUE,
    /** Its command is in flight, or waits inside this client to be sent. */
    IN_FLIGHT,
    /** The lock is held; the grant channel, without which the server's queue is of no use, is being opened. */
    SUBSCRIBING,
    /** Has an entry in the server's queue. A grant message or a check ends the state. */
    QUEUED,
    /** The lock is held and there is no queue to wait in: asks again after a pause. */
    POLLING,
    /** The store has failed, and the failure may pass: asks again after a pause. */
    OUTAGE,
    /** The outcome is decided, and the entry in the server's queue, or a grant that came too late, is being given up. */
    WITHDRAWING,
    /** The outcome is decided, and nothing of the request is in flight. */
    DONE;

    private static final Map<RequestState, Set<RequestState>> TRANSITIONS = new EnumMap<>(Map.of(
            // Promoted to be the head; or promoted by a release that failed; or handed the lock, or given up.
            LOCAL_QUEUE, EnumSet.of(IN_FLIGHT, OUTAGE, DONE),
            // Repeated on a new connection; or one state for each kind of reply.
            IN_FLIGHT, EnumSet.of(IN_FLIGHT, SUBSCRIBING, QUEUED, POLLING, OUTAGE, WITHDRAWING, DONE),
            // From here on alike: asks (again), or a grant came after the end of its lease, or is given up, or granted.
            SUBSCRIBING, EnumSet.of(IN_FLIGHT, SUBSCRIBING, POLLING, WITHDRAWING, DONE),
            QUEUED, EnumSet.of(IN_FLIGHT, SUBSCRIBING, POLLING, WITHDRAWING, DONE),
            POLLING, EnumSet.of(IN_FLIGHT, SUBSCRIBING, POLLING, WITHDRAWING, DONE),
            OUTAGE, EnumSet.of(IN_FLIGHT, SUBSCRIBING, POLLING, WITHDRAWING, DONE),
            WITHDRAWING, EnumSet.of(DONE),
            DONE, EnumSet.noneOf(RequestState.class)));

    /** Returns the states that can follow this one. */
    Set<RequestState> successors() {
        return TRANSITIONS.getOrDefault(this, Set.of());
    }
}
