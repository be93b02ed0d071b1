package io.keyhold.internal.simulation;

import io.keyhold.Durability;
import io.keyhold.KeyholdClock;
import io.keyhold.internal.simulation.Scenario.Fault;
import io.keyhold.internal.simulation.Scenario.Kind;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.quorum.QuorumSettings;
import io.keyhold.internal.store.quorum.QuorumStore;
import io.keyhold.internal.store.redis.DurableSetup;
import io.keyhold.internal.store.redis.ScriptStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One run of a scenario: all that follows from its seed. */
final class Run {

    /** Two clocks that differ by twice this still agree within the allowance of one in a hundred. */
    private static final double DRIFT = 0.0045;

    /** A quorum hands nothing over: waiters ask at random times, and may prevent each other's majority. */
    private static final long CALM_BOUND_OF_QUORUM = 2 * FaultProfile.SECOND;

    /** A release hands over: a few messages. */
    private static final long CALM_BOUND = FaultProfile.SECOND / 2;

    private static final long LONGEST_ACTION = 40 * FaultProfile.SECOND;
    private static final long LONGEST_END = 240 * FaultProfile.SECOND;

    private final Scenario scenario;
    private final Mutation mutation;
    private final Trace trace;
    private final Simulation simulation;
    private final FaultProfile profile;
    private final HoldHistory history;
    private final ProgressCheck progress;
    private final long longestLease;
    private final Workload workload;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private Optional<ReplicaGroup> group = Optional.empty();
    private final Releases releases = new Releases(nodes);
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<SimulatedWorker> workers = new ArrayList<>();

    /**
     * The outcome.
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
        this.simulation = new Simulation(seed, trace);
        this.profile = new FaultProfile(simulation, scenario);
        boolean calm = scenario.faults().isEmpty();
        this.longestLease = calm ? 10_000 : simulation.between(1_000, 6_000);
        this.workload = new Workload(simulation, scenario, longestLease);
        this.history = new HoldHistory(simulation, scenario, workload.limit(), mutation.guards(), releases);
        this.progress = new ProgressCheck(simulation, history, nodes);
        populate();
    }

    private void populate() {
        group = scenario.kind() == Kind.DURABLE ? Optional.of(replicated()) : Optional.empty();
        int[] sizes = {1, 3, 3, 4, 5, 5};
        int size = scenario.kind() == Kind.QUORUM ? sizes[simulation.random().nextInt(sizes.length)] : 1;
        for (int i = 1; i <= size && group.isEmpty(); i++) {
            SimulatedNode node = new SimulatedNode(simulation, "n" + i, clock(), mutation);
            node.admit();
            nodes.add(node);
        }
        Tokens granted = new Tokens(simulation);
        long clientCount = simulation.between(2, 7);
        long busy = simulation.between(1, 150) * FaultProfile.MILLI;
        for (int i = 1; i <= clientCount; i++) {
            SimulatedClock clock = clock();
            SimulatedClient client =
                    new SimulatedClient(simulation, profile, "c" + i, clock, nodes, releases, mutation);
            KeyholdClock believed = mutation.clock(client.pausingClock());
            client.start(
                    links -> new WatchedStore(
                            mutation.store(store(client, believed, links), believed), granted, client, simulation),
                    believed);
            clients.add(client);
            long threads = simulation.between(1, 4);
            for (int j = 1; j <= threads; j++) {
                workers.add(new SimulatedWorker(
                        simulation, client, j, workload, history, busy, (int) simulation.between(2, 8)));
            }
        }
    }

    /** A master with one, two or four replicas, and half of them must acknowledge. */
    private ReplicaGroup replicated() {
        int[] sizes = {2, 3, 3, 3, 5};
        int size = sizes[simulation.random().nextInt(sizes.length)];
        List<ReplicatedNode> servers = new ArrayList<>();
        for (int i = 1; i <= size; i++) {
            servers.add(new ReplicatedNode(simulation, profile, "n" + i, clock(), mutation));
        }
        nodes.addAll(servers);
        return new ReplicaGroup(simulation, servers, 4 * longestLease * FaultProfile.MILLI);
    }

    private SimulatedClock clock() {
        double drift =
                scenario.has(Fault.DRIFT) ? DRIFT * (2 * simulation.random().nextDouble() - 1) : 0;
        if (scenario.has(Fault.WILD_CLOCKS) && simulation.chance(0.3)) {
            drift = simulation.random().nextDouble() - 0.5;
        }
        // A lost counter is restored from clocks that differ by less than a lease.
        long most = scenario.has(Fault.AMNESIA) || scenario.has(Fault.PROMOTIONS) ? 500 : 20_000;
        long apart = simulation.chance(0.5) ? 0 : simulation.between(-most, most);
        return new SimulatedClock(simulation, 1 + drift, apart);
    }

    private LockStore store(SimulatedClient client, KeyholdClock clock, List<NodeStore> links) {
        if (group.isPresent()) {
            return durable(client, clock, group.get());
        }
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
                        simulation.random().split()),
                client.name());
    }

    private LockStore durable(SimulatedClient client, KeyholdClock clock, ReplicaGroup servers) {
        Durability durability = Durability.replicas(servers.replicasOfMajority())
                .withLongestLease(Duration.ofMillis(longestLease))
                .withAcknowledgeTimeout(
                        Duration.ofMillis(simulation.between(scenario.faults().isEmpty() ? 200 : 20, 250)));
        return new ScriptStore(
                new SimulatedDriver(simulation, client, servers, releases),
                client.name(),
                new DurableSetup(mutation.durability(durability), clock, client.timers()));
    }

    Result go() {
        simulation.check(history::check);
        simulation.check(progress::check);
        progress.expect(boundFromTheStart());
        if (scenario.losesLocks()) {
            progress.expectAfterReturn();
        }
        workers.forEach(SimulatedWorker::start);
        FaultInjector troubles = new FaultInjector(simulation, scenario, nodes, clients, group);
        troubles.start();
        runUntilDone(LONGEST_ACTION);
        troubles.end();
        profile.endFaults();
        workers.forEach(SimulatedWorker::stop);
        simulation.note("simulation", "ends faults", () -> "");
        end();
        return new Result(
                simulation.violation(),
                trace.hash(),
                history.grants(),
                simulation.now(),
                simulation.steps(),
                trace.text());
    }

    private long boundFromTheStart() {
        if (scenario.faults().isEmpty()) {
            return scenario.kind() == Kind.QUORUM ? CALM_BOUND_OF_QUORUM : CALM_BOUND;
        }
        if (scenario.isOnly(Fault.BACKLOG)) {
            return 2 * profile.longestBacklog() + longestLease * FaultProfile.MILLI + FaultProfile.SECOND;
        }
        return Long.MAX_VALUE;
    }

    private void runUntilDone(long most) {
        long end = simulation.now() + most;
        while (simulation.now() < end
                && simulation.violation().isEmpty()
                && !workers.stream().allMatch(SimulatedWorker::isDone)) {
            simulation.runUntil(simulation.now() + FaultProfile.SECOND / 4);
        }
    }

    /**
     * A queue entry at a node of a quorum costs one superfluous message, and stays there when a vote arrives after its request has
     * ended.
     */
    private boolean placesMayStay() {
        return (scenario.kind() == Kind.QUORUM || group.isPresent())
                && !scenario.faults().isEmpty();
    }

    /** Every request ends, and nothing is left. */
    private void end() {
        long lease = longestLease * FaultProfile.MILLI;
        // What was in flight when the faults ended, and what the last pauses delayed.
        simulation.runUntil(simulation.now() + 10 * FaultProfile.SECOND);
        if (!scenario.has(Fault.WILD_CLOCKS) && !scenario.faults().isEmpty()) {
            // The last promotion may have been just now, with a quarantine of one lease; and in the queue of a replica
            // that was promoted late may be an entry of each worker's former request, which gets the lock and does not
            // use it.
            long leases = group.isPresent() ? 2 + workers.size() : 1;
            progress.expect(leases * lease + 11 * FaultProfile.SECOND);
        }
        runUntilDone(LONGEST_END);
        if (simulation.violation().isEmpty() && !history.unanswered().isEmpty()) {
            simulation.violated("requests that never end: " + history.unanswered());
        }
        history.checkReports();
        LeftoverCheck leftovers = new LeftoverCheck(nodes, clients, placesMayStay());
        simulation.runUntil(Math.max(simulation.now(), history.lastAction() + lease + 2 * FaultProfile.SECOND));
        List<String> left = leftovers.onNodes();
        if (!left.isEmpty() && !scenario.has(Fault.WILD_CLOCKS)) {
            simulation.violated("left behind after a lease: " + left);
        }
        simulation.runUntil(simulation.now() + 30 * FaultProfile.SECOND);
        if (!leftovers.timers().isEmpty()) {
            simulation.violated("still busy: " + leftovers.timers());
        }
    }
}
