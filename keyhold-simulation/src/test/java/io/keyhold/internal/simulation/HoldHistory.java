package io.keyhold.internal.simulation;

import io.keyhold.internal.simulation.Scenario.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Records requests, holds and writes, and checks them. */
final class HoldHistory {

    private final Simulation simulation;
    private final boolean clocksAreGood;
    private final boolean exclusive;
    private final Releases releases;
    private final Outages outages;
    private final int limit;
    private final Map<SimulatedWorker, Waiting> waiting = new LinkedHashMap<>();
    private final List<Hold> open = new ArrayList<>();
    private final Set<Hold> releasing = new LinkedHashSet<>();
    private final List<Hold> lost = new ArrayList<>();
    private final Tokens tokens;
    private final Map<String, GuardedResource> resources = new HashMap<>();
    private final boolean guards;
    private int grants;
    private long lastGrant = -1;
    private long lastAction;

    /** The rests that were requested, and until when nothing of the keys may be granted, if a server has begun the rest. */
    private final List<Rest> rests = new ArrayList<>();

    private record Rest(Hold hold, long until, long latest) {}

    private record Waiting(SimulatedClient client, Operation operation, long since) {}

    HoldHistory(Simulation simulation, Scenario scenario, int limit, boolean guards, Releases releases) {
        this.simulation = simulation;
        this.tokens = new Tokens(simulation);
        this.guards = guards;
        this.clocksAreGood = !scenario.has(Fault.WILD_CLOCKS);
        this.exclusive = scenario.promisesExclusion();
        this.releases = releases;
        this.outages = new Outages(simulation, clocksAreGood);
        this.limit = limit;
    }

    int grants() {
        return grants;
    }

    long lastAction() {
        return lastAction;
    }

    /** A request begins. Returns the largest token of all that were issued before. */
    long began(SimulatedWorker worker, SimulatedClient client, Operation operation) {
        lastAction = simulation.now();
        waiting.put(worker, new Waiting(client, operation, simulation.now()));
        return tokens.largest(operation.keys());
    }

    void ended(SimulatedWorker worker) {
        lastAction = simulation.now();
        waiting.remove(worker);
    }

    Hold issued(SimulatedWorker worker, Hold hold, long floor) {
        ended(worker);
        grants++;
        lastGrant = simulation.now();
        simulation.observe(() -> checkRests(hold));
        long largest = tokens.largest(hold.keys);
        boolean alone = limit == 1 || hold.permits == limit;
        if (alone && exclusive && hold.isHeld() && hold.fencingToken <= largest) {
            simulation.violated("token " + hold.fencingToken + " of " + hold + " is held, and not above " + largest
                    + ", which was issued before");
        }
        tokens.granted(hold.keys, "hold " + grants, hold.fencingToken, floor);
        open.add(hold);
        return hold;
    }

    void written(Hold hold) {
        for (String key : hold.keys) {
            resources
                    .computeIfAbsent(key, none -> new GuardedResource(guards))
                    .write(hold)
                    .ifPresent(overwritten -> simulation.violated("the resource took the write of " + hold
                            + " after that of " + overwritten + ", which began after the former was issued"));
        }
    }

    void releasing(Hold hold) {
        lastAction = simulation.now();
        open.remove(hold);
        releasing.add(hold);
    }

    /** The keys of this hold are to stay taken for this long from now on. */
    void rests(Hold hold, Duration rest) {
        long begins = simulation.now();
        // Less and plus the drift of clocks.
        rests.add(new Rest(hold, begins + rest.toNanos() * 98 / 100, begins + rest.toNanos() * 102 / 100));
    }

    private void checkRests(Hold next) {
        rests.removeIf(rest -> simulation.now() > rest.latest() + FaultProfile.SECOND);
        // A client that was stopped may learn of its grant after the end of the lease.
        if (exclusive && next.isHeld()) {
            List<Hold> resting = rests.stream()
                    .filter(rest -> simulation.now() < rest.until()
                            && releases.hasRested(rest.hold().lease.token()))
                    .map(Rest::hold)
                    .toList();
            List<Hold> out = Stream.concat(open.stream().filter(Hold::isHeld), resting.stream())
                    .toList();
            next.keys.forEach(key -> {
                if (permitsOf(key, resting) > 0 && next.permits + permitsOf(key, out) > limit) {
                    simulation.violated(next + " was granted while " + out + " are held or rest");
                }
            });
        }
    }

    private static long permitsOf(String key, List<Hold> out) {
        return out.stream()
                .filter(hold -> hold.keys.contains(key))
                .mapToLong(hold -> hold.permits)
                .sum();
    }

    /** A release has returned whether it has freed the lock; empty if it has failed. */
    void released(Hold hold, Optional<Boolean> done) {
        lastAction = simulation.now();
        releasing.remove(hold);
        if (done.orElse(false) && hold.isReleasedByServer() && !releases.mayBeDone(hold.lease.token())) {
            simulation.violated("the release of " + hold
                    + " returned true, although no server has freed it and no reply to it was lost");
        }
        if (!done.orElse(true)) {
            lost.add(hold);
        }
    }

    /** At the end: every hold that a release did not find was reported as lost. */
    void checkReports() {
        lost.stream()
                .filter(hold -> hold.client.isAlive()
                        && !hold.lease.lost().toCompletableFuture().isDone())
                .forEach(hold ->
                        simulation.violated(hold + " was not there to be released, and its loss was not reported"));
    }

    /** A request has failed. */
    void failed(SimulatedWorker worker, Operation operation, long began, Contact contact, Throwable failure) {
        ended(worker);
        outages.failed(operation, began, contact, failure);
    }

    /** Whether a request of a running client waits, and there is enough for each of them: for the largest, which may be the head of the queue. */
    boolean hasWaiterForWhatIsFree() {
        long wanted = waiting.values().stream()
                .filter(one -> one.operation().waits()
                        && one.client().isAlive()
                        && !one.client().isPaused())
                .mapToLong(one -> one.operation().permits())
                .max()
                .orElse(0);
        return wanted > 0 && out() + wanted <= limit;
    }

    /** As many as are held, of any key, or may be; what rests counts until after its end. */
    private long out() {
        Stream<Hold> resting =
                rests.stream().filter(rest -> simulation.now() < rest.latest()).map(Rest::hold);
        return Stream.of(
                        resting,
                        open.stream().filter(hold -> !hold.over),
                        releasing.stream().filter(hold -> hold.client.isAlive()))
                .flatMap(holds -> holds)
                .distinct()
                .mapToLong(hold -> hold.permits)
                .sum();
    }

    /** When a request was granted for the last time; -1 if none has. */
    long lastGrant() {
        return lastGrant;
    }

    /** Whether a request waits since then or longer, and none has got anything since. */
    boolean hasUnservedSince(long then) {
        return lastGrant < then
                && waiting.values().stream().anyMatch(one -> one.operation().waits() && one.since() < then);
    }

    Set<SimulatedWorker> unanswered() {
        Set<SimulatedWorker> living = new LinkedHashSet<>();
        waiting.forEach((worker, one) -> {
            if (one.client().isAlive()) {
                living.add(worker);
            }
        });
        return living;
    }

    /** After every step: no more permits are held than there are, and an ended lease stays ended. */
    void check() {
        if (open.isEmpty()) {
            return;
        }
        List<Hold> held = new ArrayList<>();
        for (Hold hold : open) {
            boolean now = hold.isHeld();
            if (now && hold.over && clocksAreGood) {
                simulation.violated(hold + " is held again after it was not");
            }
            hold.over = !now;
            if (now) {
                held.add(hold);
            }
        }
        if (exclusive && held.size() > 1) {
            checkTogether(held);
        }
    }

    private void checkTogether(List<Hold> held) {
        Map<String, Long> out = new HashMap<>();
        held.forEach(hold -> hold.keys.forEach(key -> out.merge(key, (long) hold.permits, Long::sum)));
        out.forEach((key, permits) -> {
            if (permits > limit) {
                simulation.violated("more than " + limit + " of " + key + " held at once: " + held);
            }
        });
    }
}
