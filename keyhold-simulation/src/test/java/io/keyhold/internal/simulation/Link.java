package io.keyhold.internal.simulation;

import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.PendingReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A node, as one client sees it: behind a few connections that can break, stall, and refuse. */
final class Link implements NodeStore {

    private final Simulation simulation;
    private final FaultProfile profile;
    private final SimulatedClient client;
    private final SimulatedNode node;
    private final List<Wire> wires = new ArrayList<>();
    private final Subscription subscription;
    private final Releases releases;
    private final boolean checksIdleConnections;
    private long stalledUntil;
    private long refusedUntil;

    Link(
            Simulation simulation,
            FaultProfile profile,
            SimulatedClient client,
            SimulatedNode node,
            Releases releases,
            boolean checksIdleConnections) {
        this.simulation = simulation;
        this.profile = profile;
        this.client = client;
        this.node = node;
        this.releases = releases;
        this.checksIdleConnections = checksIdleConnections;
        int connections = (int) simulation.between(1, 4);
        for (int i = 0; i < connections; i++) {
            wires.add(new Wire(this));
        }
        subscription = new Subscription(this);
        node.connect(this);
    }

    Simulation simulation() {
        return simulation;
    }

    FaultProfile profile() {
        return profile;
    }

    SimulatedClient client() {
        return client;
    }

    SimulatedNode node() {
        return node;
    }

    boolean isConnected() {
        return node.isUp() && refusedUntil <= simulation.now();
    }

    boolean hears(String address) {
        return subscription.isAt(address);
    }

    /** Returns when a message arrives that would arrive then without stalls. */
    long notStalled(long when) {
        return when < stalledUntil ? stalledUntil + simulation.between(0, 20 * FaultProfile.MILLI) : when;
    }

    /** Nothing arrives for this long, and everything after that. */
    void stall(long nanos) {
        simulation.note(
                client.name(), "stalls", () -> "to " + node.name() + " for " + nanos / FaultProfile.MILLI + " ms");
        stalledUntil = Math.max(stalledUntil, simulation.now() + nanos);
    }

    /** All connections break, and no other can be opened for this long. */
    void cut(long nanos) {
        simulation.note(
                client.name(), "is cut", () -> "off " + node.name() + " for " + nanos / FaultProfile.MILLI + " ms");
        refusedUntil = Math.max(refusedUntil, simulation.now() + nanos);
        wires.forEach(Wire::cut);
        subscription.cut(simulation.random().nextBoolean());
    }

    void nodeCrashed() {
        wires.forEach(Wire::cut);
        subscription.cut(true);
    }

    /** The client is gone, and the server notices. */
    void clientDied() {
        subscription.cut(true);
    }

    /** The server closes all connections that are idle, and the client does not notice. */
    void closeIdle() {
        simulation.note(client.name(), "goes stale", () -> "at " + node.name());
        wires.forEach(Wire::closeIfIdle);
    }

    /**
     * Another server has the address of the node, with all data of the old one. Connections are cut, or lead to the old one,
     * which is a replica now; and so does the subscription.
     */
    void failedOver() {
        if (simulation.random().nextBoolean()) {
            refusedUntil = Math.max(refusedUntil, simulation.now() + simulation.between(0, FaultProfile.SECOND));
            wires.forEach(Wire::cut);
        } else {
            wires.forEach(Wire::demoted);
        }
        subscription.failedOver();
    }

    /** What the node publishes arrives at its replicas too. */
    void publishedToReplicas(String address, Consumer<GrantSubscription.Listener> message) {
        subscription.publishedToReplicas(address, message);
    }

    /** The client learns that it talks to a replica: it drops all connections. */
    void leaveReplica() {
        wires.forEach(Wire::replaced);
    }

    /** Whether the driver makes sure that a connection is alive before it carries this. */
    boolean checks(Message<?> message) {
        return message.connection() == Message.On.CHECKED && checksIdleConnections;
    }

    private <T> CompletionStage<T> call(String what, Function<NodeStore, CompletionStage<T>> work) {
        return ask(Message.of(what, Message.On.ANY, work));
    }

    <T> CompletionStage<T> ask(Message<T> message) {
        client.mayPause();
        return wires.get(simulation.random().nextInt(wires.size())).send(message);
    }

    @Override
    public String address() {
        return node.name();
    }

    @Override
    public CompletionStage<VoteReply> vote(VoteRequest request, @Nullable Consumer<PendingReply> unread) {
        return call("vote " + Trace.brief(request.token()), store -> store.vote(request, unread));
    }

    @Override
    public CompletionStage<Boolean> raise(Claim claim, String token, long number) {
        return call("raise " + Trace.brief(token), store -> store.raise(claim, token, number));
    }

    @Override
    public CompletionStage<HoldReply> giveUp(ReleaseRequest request, @Nullable Consumer<PendingReply> unread) {
        return ask(Message.of(
                "giveUp " + Trace.brief(request.token()),
                Message.On.CHECKED,
                store -> store.giveUp(request, unread).whenComplete((reply, failure) -> noteRest(request, reply))));
    }

    @Override
    public CompletionStage<Long> quarantineMillis(VoteRequest.Admission admission) {
        return call("may vote", store -> store.quarantineMillis(admission));
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        Message<AcquireReply> message = Message.of(
                "acquire " + Trace.brief(request.token()),
                Message.On.ANY,
                store -> store.acquire(request, mode, () -> {}));
        long backlog = mayWaitInClient(request) ? profile.backlog() : 0;
        CompletableFuture<Void> turn = new CompletableFuture<>();
        if (backlog == 0) {
            turn.complete(null);
        } else {
            client.at(simulation.now() + backlog, message, () -> turn.complete(null));
        }
        return turn.thenCompose(now -> {
            sending.run();
            return ask(message);
        });
    }

    /**
     * Whether it waits in the client's own queue. A request with an entry in the server's queue does not: if it were delayed for longer
     * than a lease, every lock handed over to it meanwhile would expire, because a grant waits for the reply of the request in flight.
     */
    private static boolean mayWaitInClient(AcquireRequest request) {
        return request.ifBusy().coming() == AcquireRequest.Coming.FIRST
                || request.ifBusy().place().isEmpty();
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        Message<HoldReply> message = Message.of(
                "release " + Trace.brief(request.token()),
                Message.On.CHECKED,
                store -> store.release(request, mode).whenComplete((reply, failure) -> {
                    if (reply instanceof HoldReply.Done) {
                        releases.freed(request.token());
                    }
                    noteRest(request, reply);
                }));
        return ask(message.ifLost(() -> releases.lostInFlight(request.token())));
    }

    private void noteRest(ReleaseRequest request, @Nullable HoldReply reply) {
        if (reply instanceof HoldReply.Done && request.rests()) {
            releases.rests(request.token(), node);
        }
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        return call(
                "renew "
                        + requests.stream()
                                .map(request -> Trace.brief(request.token()))
                                .toList(),
                store -> store.renew(requests, mode));
    }

    @Override
    public CompletionStage<LockSnapshot> look(String key, CallMode mode) {
        return call("look", store -> store.look(key, mode));
    }

    @Override
    public CompletionStage<Optional<LockSnapshot>> lookAtPermits(String key, CallMode mode) {
        return call("look", store -> store.lookAtPermits(key, mode));
    }

    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        return call("list", store -> store.list(pattern, cursor, mode));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return call("force", store -> store.forceRelease(key, mode));
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        return call("resize", store -> store.resize(key, said, permits, mode));
    }

    @Override
    public CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener) {
        return openGrantChannel(node.grantChannel(client.name()), listener);
    }

    CompletionStage<Optional<GrantSubscription>> openGrantChannel(String channel, GrantSubscription.Listener listener) {
        return subscription.open(channel, listener);
    }

    @Override
    public void close() {}

    /** The same in every run, so that the order of a hash table is the same. */
    @Override
    public int hashCode() {
        return client.name().hashCode() * 31 + node.name().hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }
}
