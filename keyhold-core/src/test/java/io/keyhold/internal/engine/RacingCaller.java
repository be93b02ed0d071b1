package io.keyhold.internal.engine;

import io.keyhold.internal.time.AsynchronousCaller;
import io.keyhold.internal.time.Caller;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.CallMode;

/** An asynchronous caller that lets something else happen just before the next step of its request. */
final class RacingCaller implements Caller {

    private final AsynchronousCaller plain;
    private Runnable crossing = () -> {};

    RacingCaller(Scheduler scheduler) {
        this.plain = new AsynchronousCaller(scheduler);
    }

    /** Runs this before the next step, once. */
    RacingCaller beforeNextStep(Runnable event) {
        crossing = event;
        return this;
    }

    @Override
    public CallMode mode() {
        return plain.mode();
    }

    @Override
    public void execute(Runnable step) {
        Runnable event = crossing;
        crossing = () -> {};
        event.run();
        plain.execute(step);
    }

    @Override
    public Scheduler.Timer later(long delayNanos, Runnable step) {
        return plain.later(delayNanos, step);
    }
}
