package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.time.ClockReading;

/**
 * How long a lease is certain, and how long the server may hold it: longer after an extension whose reply was lost, or came when the
 * lease had ended. Nothing but a release ends such a hold before the length that was asked for.
 */
final class LeaseTerm {

    private final KeyholdClock clock;
    private volatile long millis;
    private volatile Validity validity;
    /** The longest extension that was asked for, whether it has a reply or not. */
    private volatile Validity asked;

    LeaseTerm(KeyholdClock clock, Validity validity, long millis) {
        this.clock = clock;
        this.validity = validity;
        this.asked = validity;
        this.millis = millis;
    }

    /** Returns how long the server holds the lease without renewal; {@link AcquireRequest#NO_EXPIRY} if for ever. */
    long millis() {
        return millis;
    }

    void millis(long length) {
        millis = length;
    }

    Validity validity() {
        return validity;
    }

    long remainingNanos() {
        return validity.remainingNanos(clock);
    }

    /** Returns whether it has ended. A reply that prolongs it comes before this, or is too late. */
    synchronized boolean isOver() {
        return remainingNanos() <= 0;
    }

    /** Notes an extension before it is sent. Returns the validity that it gives if it is granted. */
    synchronized Validity ask(long length) {
        ClockReading now = ClockReading.now(clock);
        Validity extension = new Validity(now, length);
        asked = extension.later(asked, now);
        return extension;
    }

    /** Prolongs the validity unless it has ended, even if the store says that it is held: a user may have seen that it was not. */
    synchronized boolean prolong(Validity fresh) {
        ClockReading now = ClockReading.now(clock);
        boolean goesOn = validity.remainingNanos(now) > 0;
        validity = goesOn ? fresh.later(validity, now) : validity;
        return goesOn;
    }

    /** Returns how long the server may hold the lease. */
    Validity atServer() {
        return validity.later(asked, ClockReading.now(clock));
    }

    /** Returns whether the server may hold the lease for longer than it is certain. */
    boolean mayOutlast() {
        ClockReading now = ClockReading.now(clock);
        return asked.remainingNanos(now) > Math.max(0, validity.remainingNanos(now));
    }
}
