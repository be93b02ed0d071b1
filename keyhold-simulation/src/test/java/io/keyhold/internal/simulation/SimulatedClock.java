package io.keyhold.internal.simulation;

import io.keyhold.KeyholdClock;
import java.util.OptionalLong;

/** The clock of one machine: as fast as it is, and set as it is. */
final class SimulatedClock implements KeyholdClock {

    private static final long START_WALL_MILLIS = 1_790_000_000_000L;
    private static final long START_NANOS = 1_000_000_000_000L;

    private final Simulation simulation;
    private final double rate;
    private long wallOffsetMillis;
    private long monotonicOffset = START_NANOS;
    private OptionalLong stoppedAt = OptionalLong.empty();

    /** {@code rate} is how much of its time passes in one unit of true time. */
    SimulatedClock(Simulation simulation, double rate, long wallOffsetMillis) {
        this.simulation = simulation;
        this.rate = rate;
        this.wallOffsetMillis = wallOffsetMillis;
    }

    @Override
    public long monotonicNanos() {
        return stoppedAt.orElse(monotonicOffset + passed());
    }

    @Override
    public long wallMillis() {
        return START_WALL_MILLIS + wallOffsetMillis + passed() / 1_000_000;
    }

    private long passed() {
        return (long) (simulation.now() * rate);
    }

    /** Returns how much true time passes while this much of its own does. */
    long trueNanos(long own) {
        return own > Long.MAX_VALUE / 2 ? Long.MAX_VALUE / 2 : (long) Math.ceil(own / rate) + 1;
    }

    /** Sets the clock. */
    void set(long millis) {
        wallOffsetMillis += millis;
    }

    /** It leaps forward, as a virtual machine's does that was moved. */
    void leap(long nanos) {
        monotonicOffset += nanos;
    }

    /** The machine is suspended: the monotonic clock stops. */
    void sleep() {
        stoppedAt = OptionalLong.of(monotonicNanos());
    }

    /** The monotonic clock goes on from where it stopped. */
    void wake() {
        monotonicOffset = stoppedAt.orElseThrow() - passed();
        stoppedAt = OptionalLong.empty();
    }
}
