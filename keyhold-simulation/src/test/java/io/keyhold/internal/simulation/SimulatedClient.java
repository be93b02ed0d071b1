package io.keyhold.internal.simulation;

import io.keyhold.Keyhold;
import io.keyhold.KeyholdClock;
import io.keyhold.LockOptions;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.client.Client;
import io.keyhold.internal.engine.Engine;
import io.keyhold.internal.engine.event.Listeners;
import io.keyhold.internal.lock.NamedOptions;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.time.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process with a client in it: the real engine, with its own clock and timers. It can stop between any two steps, and
 * die. Each source of events (a connection, its timers, one thread of its user) keeps its order; after a pause, the sources come in
 * any order.
 */
final class SimulatedClient {

    private final Simulation simulation;
    private final FaultProfile profile;
    private final String name;
    private final SimulatedClock clock;
    private final long commandTimeout;
    private final double queuedCallbacks;
    private final List<Link> links = new ArrayList<>();
    private final Map<Object, Deque<Runnable>> backlog = new LinkedHashMap<>();
    private final Timers timers = new Timers();
    private boolean paused;
    private boolean dead;
    private int pendingTimers;
    private @Nullable Keyhold keyhold;
    /** Of the request that a user is about to make. */
    private Optional<Contact> contact = Optional.empty();

    SimulatedClient(
            Simulation simulation,
            FaultProfile profile,
            String name,
            SimulatedClock clock,
            List<SimulatedNode> nodes,
            Releases releases,
            Mutation mutation) {
        this.simulation = simulation;
        this.profile = profile;
        this.name = name;
        this.clock = clock;
        this.commandTimeout = simulation.between(300, 2_000) * FaultProfile.MILLI;
        this.queuedCallbacks = simulation.random().nextInt(3) / 2.0;
        nodes.forEach(node ->
                links.add(new Link(simulation, profile, this, node, releases, mutation.checksIdleConnections())));
    }

    /** Begins with the store that is made of its links, and the clock that it believes. */
    void start(Function<List<NodeStore>, LockStore> stores, KeyholdClock believed) {
        Engine engine = new Engine(
                stores.apply(List.copyOf(links)),
                believed,
                timers,
                this::callback,
                new TokenText(name),
                simulation.random().split(),
                Listeners.Setup.NONE);
        keyhold = new Client(engine, "", LockOptions.defaults(), NamedOptions.NONE);
    }

    String name() {
        return name;
    }

    Keyhold keyhold() {
        return Objects.requireNonNull(keyhold);
    }

    SimulatedClock clock() {
        return clock;
    }

    /** Its clock, with a pause before many readings. */
    KeyholdClock pausingClock() {
        return new KeyholdClock() {
            @Override
            public long monotonicNanos() {
                mayPause();
                return clock.monotonicNanos();
            }

            @Override
            public long wallMillis() {
                return clock.wallMillis();
            }
        };
    }

    Scheduler timers() {
        return timers;
    }

    int pendingTimers() {
        return pendingTimers;
    }

    List<Link> links() {
        return links;
    }

    long commandTimeout() {
        return commandTimeout;
    }

    /** Makes a request. What it asks the store meanwhile is noted in its contact. */
    <T> T asking(Contact of, Supplier<T> request) {
        contact = Optional.of(of);
        try {
            return request.get();
        } finally {
            contact = Optional.empty();
        }
    }

    Optional<Contact> contact() {
        return contact;
    }

    boolean isAlive() {
        return !dead;
    }

    boolean isPaused() {
        return paused;
    }

    /** Delivers an event at that time, or after that if the client is stopped. */
    void at(long when, Object source, Runnable work) {
        simulation.at(when, () -> reached(source, work));
    }

    private void reached(Object source, Runnable work) {
        if (dead) {
            return;
        }
        if (paused) {
            backlog.computeIfAbsent(source, none -> new ArrayDeque<>()).add(work);
        } else {
            work.run();
        }
    }

    private void callback(Runnable work) {
        if (simulation.chance(queuedCallbacks)) {
            at(simulation.now() + simulation.between(0, 2 * FaultProfile.MILLI), work, work);
        } else {
            work.run();
        }
    }

    /** A point between two steps. */
    void mayPause() {
        if (!paused && simulation.canGoOnWithout() && profile.pauses()) {
            pause(pauseLength());
        }
    }

    /** A point where a pause is dangerous. */
    void mayPauseLong() {
        if (!paused && simulation.canGoOnWithout() && profile.pausesLong()) {
            pause(simulation.between(0, 6 * FaultProfile.SECOND));
        }
    }

    private long pauseLength() {
        return simulation.chance(0.5)
                ? simulation.between(0, 50 * FaultProfile.MILLI)
                : simulation.between(50 * FaultProfile.MILLI, 6 * FaultProfile.SECOND);
    }

    /** Stops at this point. */
    void pause(long nanos) {
        simulation.note(name, "pauses", () -> nanos / FaultProfile.MILLI + " ms");
        boolean sleeps = simulation.chance(0.2);
        if (sleeps) {
            clock.sleep();
        }
        paused = true;
        simulation.goOnWithout(nanos);
        paused = false;
        if (sleeps) {
            clock.wake();
        }
        simulation.note(name, "goes on", () -> "");
        while (!backlog.isEmpty()) {
            List<Object> sources = List.copyOf(backlog.keySet());
            Object source = sources.get(simulation.random().nextInt(sources.size()));
            Deque<Runnable> waiting = backlog.get(source);
            if (waiting == null || waiting.isEmpty()) {
                backlog.remove(source);
            } else {
                at(simulation.now(), source, waiting.remove());
            }
        }
    }

    void die() {
        if (!dead) {
            simulation.note(name, "dies", () -> "");
            dead = true;
            links.forEach(Link::clientDied);
        }
    }

    /** Its one timer thread. */
    private final class Timers implements Scheduler {

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            mayPause();
            pendingTimers++;
            Task entry = new Task(task);
            entry.event = simulation.after(clock.trueNanos(Math.max(0, delayNanos)), () -> reached(this, entry::run));
            return entry;
        }

        @Override
        public void close() {}
    }

    private final class Task implements Scheduler.Timer {
        private final Runnable work;
        private Simulation.@Nullable Event event;
        private boolean over;

        Task(Runnable work) {
            this.work = work;
        }

        void run() {
            if (!over) {
                over = true;
                pendingTimers--;
                work.run();
            }
        }

        @Override
        public void cancel() {
            if (!over) {
                over = true;
                pendingTimers--;
                Objects.requireNonNull(event).cancel();
            }
        }
    }
}
