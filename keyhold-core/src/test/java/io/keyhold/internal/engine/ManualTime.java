package io.keyhold.internal.engine;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.time.Scheduler;
import java.time.Duration;
import java.util.PriorityQueue;

/** Time that only the test moves; timers run on the test's thread. */
public final class ManualTime implements KeyholdClock, Scheduler {

    private record Task(long at, long number, Runnable work) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
        }
    }

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long monotonic = 1_000_000_000_000L;
    private long wall = 1_790_000_000_000L;
    private long counter;
    /** Other threads, simulated by the test: what they do just as a timer is set or cancelled. */
    public Runnable atSchedule = () -> {};

    public Runnable atCancel = () -> {};
    /** The same, just as the clock is read for the next time. */
    private Runnable atReading = () -> {};
    /** How late timers are that are set now, as on a machine short of processor time. */
    public Duration lateTimers = Duration.ZERO;

    @Override
    public long monotonicNanos() {
        Runnable other = atReading;
        atReading = () -> {};
        other.run();
        return monotonic;
    }

    /** Runs this before the clock is read the next time. */
    public void atNextReading(Runnable other) {
        atReading = other;
    }

    @Override
    public long wallMillis() {
        return wall;
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        long delay = delayNanos >= Long.MAX_VALUE / 2 ? delayNanos : delayNanos + lateTimers.toNanos();
        long at = delay >= Long.MAX_VALUE - monotonic ? Long.MAX_VALUE : monotonic + Math.max(0, delay);
        Task entry = new Task(at, counter++, task);
        tasks.add(entry);
        atSchedule.run();
        return () -> {
            tasks.remove(entry);
            atCancel.run();
        };
    }

    /** Advances both clocks and runs the timers that become due, each at its own time. */
    public void pass(Duration duration) {
        long end = monotonic + duration.toNanos();
        for (Task next = tasks.peek(); next != null && next.at() <= end; next = tasks.peek()) {
            tasks.remove();
            moveTo(Math.max(monotonic, next.at()));
            next.work().run();
        }
        moveTo(end);
    }

    /** Moves both clocks on to the next timer, and runs it. */
    public void passToNext() {
        Task next = tasks.remove();
        moveTo(Math.max(monotonic, next.at()));
        next.work().run();
    }

    /** The machine sleeps: only the wall clock goes on. */
    public void suspend(Duration duration) {
        wall += duration.toMillis();
    }

    /** Time passes while nothing gets to run: a long pause of the process. */
    public void freeze(Duration duration) {
        moveTo(monotonic + duration.toNanos());
    }

    public int pendingTimers() {
        return tasks.size();
    }

    private void moveTo(long nanos) {
        wall += (nanos - monotonic) / 1_000_000;
        monotonic = nanos;
    }

    @Override
    public void close() {
        tasks.clear();
    }
}
