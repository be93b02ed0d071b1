package io.keyhold.internal.time;

import io.keyhold.spi.CallMode;

/** A caller that does not wait: steps run on the thread that completes the step before. */
public record AsynchronousCaller(Scheduler scheduler) implements Caller {

    @Override
    public CallMode mode() {
        return CallMode.ASYNCHRONOUS;
    }

    @Override
    public void execute(Runnable step) {
        step.run();
    }

    @Override
    public Scheduler.Timer later(long delayNanos, Runnable step) {
        return scheduler.schedule(delayNanos, step);
    }
}
