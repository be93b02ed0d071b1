package io.keyhold.internal.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A simulation on one thread: its time, its events, and random numbers. Everything follows from the seed, and so does it
 * again.
 *
 * <p>A client that stops in the middle of a step lets the rest of the simulation continue from there
 * ({@link #goOnWithout}), on the same stack: so a process can be stopped between any two steps of its code.
 */
final class Simulation {

    private static final int DEEPEST = 3;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<Runnable> checks = new ArrayList<>();
    private final SplittableRandom random;
    private final Trace trace;
    private long now;
    private long scheduled;
    private long steps;
    private int depth;
    private boolean observed;
    private Optional<Violation> violation = Optional.empty();

    Simulation(long seed, Trace trace) {
        this.random = new SplittableRandom(seed);
        this.trace = trace;
    }

    /** Something that will happen, unless it is cancelled. */
    static final class Event implements Comparable<Event> {
        private final long at;
        private final long number;
        private final Runnable work;
        private boolean cancelled;

        private Event(long at, long number, Runnable work) {
            this.at = at;
            this.number = number;
            this.work = work;
        }

        void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
        }
    }

    /** True time in nanoseconds, which nothing in the simulation can see. */
    long now() {
        return now;
    }

    long steps() {
        return steps;
    }

    SplittableRandom random() {
        return random;
    }

    boolean chance(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** Between the two, the larger left out. */
    long between(long from, long to) {
        return to <= from ? from : random.nextLong(from, to);
    }

    Event at(long when, Runnable work) {
        Event event = new Event(Math.max(now, when), scheduled++, work);
        events.add(event);
        return event;
    }

    Event after(long nanos, Runnable work) {
        return at(nanos >= Long.MAX_VALUE - now ? Long.MAX_VALUE : now + nanos, work);
    }

    /** Called after every step. */
    void check(Runnable check) {
        checks.add(check);
    }

    void note(String who, String what, Supplier<String> detail) {
        trace.add(now, who, what, detail);
    }

    /** The simulation ends here: something has gone wrong. */
    void violated(String what) {
        if (violation.isEmpty()) {
            note("simulation", "VIOLATION", () -> what);
            violation = Optional.of(new Violation(what));
        }
    }

    Optional<Violation> violation() {
        return violation;
    }

    /** Whether a check reads the simulation from outside, so that nothing may happen meanwhile. */
    boolean isObserved() {
        return observed;
    }

    /** Lets everything happen that happens until then. */
    void runUntil(long end) {
        while (violation.isEmpty()) {
            Event next = events.peek();
            if (next == null || next.at > end) {
                now = Math.max(now, end);
                return;
            }
            events.remove();
            if (!next.cancelled) {
                now = Math.max(now, next.at);
                step(next.work);
            }
        }
    }

    boolean canGoOnWithout() {
        return depth < DEEPEST && !observed && violation.isEmpty();
    }

    /** Time passes for all but the caller. */
    void goOnWithout(long nanos) {
        depth++;
        runUntil(now + nanos);
        depth--;
    }

    private void step(Runnable work) {
        steps++;
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            violated("code threw " + e + " at "
                    + List.of(e.getStackTrace()).subList(0, Math.min(4, e.getStackTrace().length)));
        }
        observe(() -> checks.forEach(Runnable::run));
    }

    /** Nothing happens while this looks at the simulation: no client stands still, and no time passes. */
    void observe(Runnable look) {
        boolean before = observed;
        observed = true;
        look.run();
        observed = before;
    }
}
