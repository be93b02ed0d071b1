package io.keyhold.internal.engine;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How a request stands at its lock's gate. Whoever is ahead there has to call the next, exactly once: the request, if it ends without
 * the lock, else the lease that came of it.
 */
final class GateStanding {

    private final Engine engine;
    private final Acquisition request;
    private final boolean gated;
    private final AtomicBoolean ahead = new AtomicBoolean();
    private volatile boolean behindRelease;

    GateStanding(Engine engine, Acquisition request, boolean gated) {
        this.engine = engine;
        this.request = request;
        this.gated = gated;
    }

    /** Comes to the gate, if there is one for it. Answers whether it may go on to the store. */
    boolean enter() {
        if (!gated) {
            return true;
        }
        if (engine.gates().enter(request.storedKey(), request)) {
            ahead.set(true);
            return true;
        }
        return false;
    }

    /** Its turn has come. */
    void called() {
        ahead.set(true);
    }

    /** It is next, and will be called when the lease before it has been released. */
    void behindRelease() {
        behindRelease = true;
    }

    boolean isBehindRelease() {
        return behindRelease;
    }

    boolean isAhead() {
        return ahead.get();
    }

    /** Returns whether the request asks the store itself: there is no gate for it, or it is ahead there. */
    boolean isPassed() {
        return !gated || ahead.get();
    }

    /** From now on it is the lease that has to call the next. Answers whether anybody has to. */
    boolean leaveToLease() {
        return ahead.getAndSet(false);
    }

    /** The request is over, and leaves to the next what it knows of an outage. */
    void leave(Outage known) {
        if (!gated) {
            return;
        }
        engine.gates().leave(request.storedKey(), request);
        if (ahead.getAndSet(false)) {
            engine.nextAtGate(request.storedKey()).ifPresent(next -> call(next, known));
        }
    }

    /**
     * One that was not cancelled may pass its fate on to the next, which ends at once too: thousands may, and the stack must
     * not grow with each.
     */
    private void call(Acquisition next, Outage known) {
        if (request.outcome().isCancelled()) {
            next.leadAfter(known);
        } else {
            engine.scheduler().schedule(0, () -> next.leadAfter(known));
        }
    }
}
