package io.keyhold.internal.simulation;

import io.keyhold.inspect.LockWaiter;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** A server: the real store in memory, which can go down, stop, and lose its data. */
class SimulatedNode {

    /** What requests left that came once more when they had long ended. */
    private final Set<LockWaiter> waitersByRepetition = new HashSet<>();

    private final Simulation simulation;
    private final String name;
    private final SimulatedClock clock;
    private final Mutation mutation;
    private final List<Link> links = new ArrayList<>();
    private MemoryStore memory;
    private NodeStore store;
    private boolean up = true;
    private OptionalLong backSince = OptionalLong.empty();
    private long standsStillUntil;

    SimulatedNode(Simulation simulation, String name, SimulatedClock clock, Mutation mutation) {
        this.simulation = simulation;
        this.name = name;
        this.clock = clock;
        this.mutation = mutation;
        this.memory = new MemoryStore(clock);
        this.store = mutation.server(new DelegatingStore(memory), this);
    }

    String name() {
        return name;
    }

    SimulatedClock clock() {
        return clock;
    }

    /** What it keeps now; another one after it has lost its data. */
    NodeStore store() {
        return store;
    }

    /** Opens a grant channel; mutants of the server do not see this. */
    GrantSubscription openGrantChannel(String address, GrantSubscription.Listener listener) {
        return memory.openGrantChannel(address, listener).toCompletableFuture().join();
    }

    boolean isUp() {
        return up;
    }

    /** When it came back from its last crash, if it had one and is back. */
    OptionalLong backSince() {
        return backSince;
    }

    long standsStillUntil() {
        return standsStillUntil;
    }

    /** Whether the subscription of this waiter's client is open. */
    boolean isHeard(LockWaiter waiter) {
        String address = grantChannel(waiter.clientName().orElseThrow());
        return links.stream().anyMatch(link -> link.hears(address));
    }

    /** The address of this client's subscription here. */
    String grantChannel(String client) {
        return client + "@" + name;
    }

    void connect(Link link) {
        links.add(link);
    }

    /** An operator admits it as new, so that it may vote at once. */
    void admit() {
        VoteRequest vote = new VoteRequest(
                new Claim.Lock("admission"),
                "admission",
                1,
                AcquireRequest.IfFree.TAKE,
                Optional.empty(),
                1,
                new VoteRequest.Admission(1, VoteRequest.IfFresh.ADMIT));
        store.vote(vote, null).toCompletableFuture().join();
        store.giveUp(ReleaseRequest.of(vote.claim(), vote.token()), null)
                .toCompletableFuture()
                .join();
    }

    /** Does nothing for a while; what arrives waits. */
    void stall(long nanos) {
        simulation.note(name, "stands", () -> "still for " + nanos / 1_000_000 + " ms");
        standsStillUntil = Math.max(standsStillUntil, simulation.now() + nanos);
    }

    void crash(boolean withMemory) {
        simulation.note(name, "crashes", () -> withMemory ? "and will remember" : "and forgets everything");
        up = false;
        backSince = OptionalLong.empty();
        cutAll();
        if (!withMemory) {
            memory = new MemoryStore(clock);
            store = mutation.server(new DelegatingStore(memory), this);
        }
    }

    /** All connections to it break. */
    final void cutAll() {
        links.forEach(Link::nodeCrashed);
    }

    /** Another server takes over, with all that this one knew; this one becomes its replica. */
    void failOver() {
        simulation.note(name, "fails over", () -> "");
        links.forEach(Link::failedOver);
    }

    /** Publishes to subscribers at replicas. Every message arrives there, and they are not counted here. */
    void publishToReplicas(String address, Consumer<GrantSubscription.Listener> message) {
        links.forEach(link -> link.publishedToReplicas(address, message));
    }

    void restart() {
        if (!up) {
            simulation.note(name, "is back", () -> "");
            up = true;
            backSince = OptionalLong.of(simulation.now());
        }
    }

    Set<LockWaiter> waitersByRepetition() {
        return waitersByRepetition;
    }
}
