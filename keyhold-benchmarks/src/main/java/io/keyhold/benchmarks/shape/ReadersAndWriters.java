package io.keyhold.benchmarks.shape;

import io.keyhold.benchmarks.worker.LoopPlan;
import io.keyhold.benchmarks.worker.Target;

/** A read/write lock with both kinds of visitors. */
final class ReadersAndWriters extends LoopShape {
    private final int percentReads;
    private final Crowd crowd;

    ReadersAndWriters(int percentReads, Crowd crowd) {
        super(crowd.jvms(), crowd.plan(Target.readWrite(percentReads), LoopPlan.Timed.ACQUIRE));
        this.percentReads = percentReads;
        this.crowd = crowd;
    }

    @Override
    public String id() {
        return "read-" + percentReads + "-" + crowd.id();
    }

    @Override
    public String title() {
        return "Read/write lock, " + percentReads + " % reads, " + crowd.text();
    }

    @Override
    public String description() {
        return "Each thread reads or writes, by the same dice for all contenders, all the time. Latency is the wait, of readers and"
                + " writers together. Keyhold's line is first come, first served; Redisson's lock has no line.";
    }
}
