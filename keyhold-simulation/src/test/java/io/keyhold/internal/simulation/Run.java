package io.keyhold.internal.simulation;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.simulation.Scenario.Fault;
import io.keyhold.internal.simulation.Scenario.Kind;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.quorum.QuorumSettings;
import io.keyhold.internal.store.quorum.QuorumStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One run of a scenario: all that follows from its seed. */
final class Run {

    /** Two clocks that differ by twice this still agree within the allowance of one in a hundred. */
    private static final double DRIFT = 0.0045;

    /** Nobody is handed a lock on a quorum: those who wait ask, at random times, and may keep each other from a majority. */
    private static final long CALM_BOUND_OF_QUORUM = 2 * Weather.SECOND;

    /** Whoever releases hands over: a few messages. */
    private static final long CALM_BOUND = Weather.SECOND / 2;

    private static final long LONGEST_ACTION = 40 * Weather.SECOND;
    private static final long LONGEST_END = 240 * Weather.SECOND;

    private final Scenario scenario;
    private final Mutation mutation;
    private final Trace trace;
    private final Simulation world;
    private final Weather weather;
    private final History history;
    private final Progress progress;
    private final long longestLease;
    private final Wants wants;
    private final Releases releases = new Releases();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();

    /**
     * What came of it.
     *
     * @param violation what went wrong
     * @param hash the same for the same run
     * @param grants how many leases there were
     * @param virtualNanos how long it took in its own time
     */
    record Result(Optional<Violation> violation, long hash, int grants, long virtualNanos, long steps, String trace) {}

    Run(Scenario scenario, long seed, Mutation mutation, int linesKept) {
        this.scenario = scenario;
        this.mutation = mutation;
        this.trace = new Trace(linesKept);
        this.world = new Simulation(seed, trace);
        this.weather = new Weather(world, scenario);
        boolean calm = scenario.faults().isEmpty();
        this.longestLease = calm ? 10_000 : world.between(1_000, 6_000);
        this.wants = new Wants(world, scenario, longestLease);
        this.history = new History(world, scenario, wants.limit(), mutation.guards(), releases);
        this.progress = new Progress(world, history, nodes);
        populate();
    }

    private void populate() {
        int[] sizes = {1, 3, 3, 4, 5, 5};
        int size = scenario.kind() == Kind.QUORUM ? sizes[world.random().nextInt(sizes.length)] : 1;
        for (int i = 1; i <= size; i++) {
            SimulatedNode node = new SimulatedNode(world, "n" + i, clock(), mutation);
            node.admit();
            nodes.add(node);
        }
        Tokens granted = new Tokens(world);
        long clientCount = world.between(2, 7);
        long busy = world.between(1, 150) * Weather.MILLI;
        for (int i = 1; i <= clientCount; i++) {
            SimulatedClock clock = clock();
            SimulatedClient client = new SimulatedClient(world, weather, "c" + i, clock, nodes, releases, mutation);
            KeyholdClock believed = mutation.clock(client.pausingClock());
            client.start(
                    links -> new WatchedStore(
                            mutation.store(store(client, believed, links), believed), granted, client, world),
                    believed);
            clients.add(client);
            long threads = world.between(1, 4);
            for (int j = 1; j <= threads; j++) {
                workers.add(new Worker(world, client, j, wants, history, busy, (int) world.between(2, 8)));
            }
        }
    }

    private SimulatedClock clock() {
        double drift = scenario.has(Fault.DRIFT) ? DRIFT * (2 * world.random().nextDouble() - 1) : 0;
        if (scenario.has(Fault.WILD_CLOCKS) && world.chance(0.3)) {
            drift = world.random().nextDouble() - 0.5;
        }
        // A counter that was forgotten comes back from clocks that differ by less than a lease.
        long most = scenario.has(Fault.AMNESIA) ? 500 : 20_000;
        long apart = world.chance(0.5) ? 0 : world.between(-most, most);
        return new SimulatedClock(world, 1 + drift, apart);
    }

    private LockStore store(SimulatedClient client, KeyholdClock clock, List<NodeStore> links) {
        if (scenario.kind() != Kind.QUORUM) {
            return links.get(0);
        }
        QuorumSettings settings = new QuorumSettings(Optional.empty(), Duration.ofMillis(longestLease), false);
        return mutation.quorum(
                links,
                nodes -> new QuorumStore(
                        nodes,
                        List.of(),
                        settings,
                        clock,
                        client.timers(),
                        world.random().split()),
                client.name());
    }

    Result go() {
        world.check(history::check);
        world.check(progress::check);
        progress.expect(boundFromTheStart());
        if (scenario.losesLocks()) {
            progress.expectAfterReturn();
        }
        workers.forEach(Worker::start);
        Troubles troubles = new Troubles(world, scenario, nodes, clients);
        troubles.start();
        runUntilDone(LONGEST_ACTION);
        troubles.end();
        weather.clearUp();
        workers.forEach(Worker::stop);
        world.note("world", "clears up", () -> "");
        end();
        return new Result(world.violation(), trace.hash(), history.grants(), world.now(), world.steps(), trace.text());
    }

    private long boundFromTheStart() {
        if (scenario.faults().isEmpty()) {
            return scenario.kind() == Kind.QUORUM ? CALM_BOUND_OF_QUORUM : CALM_BOUND;
        }
        if (scenario.isOnly(Fault.BACKLOG)) {
            return 2 * weather.longestBacklog() + longestLease * Weather.MILLI + Weather.SECOND;
        }
        return Long.MAX_VALUE;
    }

    private void runUntilDone(long most) {
        long end = world.now() + most;
        while (world.now() < end
                && world.violation().isEmpty()
                && !workers.stream().allMatch(Worker::isDone)) {
            world.runUntil(world.now() + Weather.SECOND / 4);
        }
    }

    /**
     * A place at a node of a quorum costs one message that nobody needs, and is left there when a vote arrives after its request
     * has ended.
     */
    private boolean placesMayStay() {
        return scenario.kind() == Kind.QUORUM && !scenario.faults().isEmpty();
    }

    /** Every request ends, and nothing is left. */
    private void end() {
        long lease = longestLease * Weather.MILLI;
        // What was under way when it cleared up, and what the last pauses held up.
        world.runUntil(world.now() + 10 * Weather.SECOND);
        if (!scenario.has(Fault.WILD_CLOCKS) && !scenario.faults().isEmpty()) {
            progress.expect(lease + 11 * Weather.SECOND);
        }
        runUntilDone(LONGEST_END);
        if (world.violation().isEmpty() && !history.unanswered().isEmpty()) {
            world.violated("requests that never end: " + history.unanswered());
        }
        history.checkReports();
        Leftovers leftovers = new Leftovers(nodes, clients, placesMayStay());
        world.runUntil(Math.max(world.now(), history.lastAction() + lease + 2 * Weather.SECOND));
        List<String> left = leftovers.onNodes();
        if (!left.isEmpty() && !scenario.has(Fault.WILD_CLOCKS)) {
            world.violated("left behind after a lease: " + left);
        }
        world.runUntil(world.now() + 30 * Weather.SECOND);
        if (!leftovers.timers().isEmpty()) {
            world.violated("still busy: " + leftovers.timers());
        }
    }
}
