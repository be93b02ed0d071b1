package io.keyhold.internal.simulation;

import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One connection of a client to a node: requests arrive in the order in which they were sent, and so do replies. */
final class Wire {

    /** What was sent before its sender was told that there is no reply arrives within this time after all, if it does. */
    private static final long LATEST = 900 * FaultProfile.MILLI;

    private static final double CERTAINLY_NOT_EXECUTED = 0.4;
    private static final double CLOSED_UNNOTICED = 0.5;

    private final Link link;
    private final SimulatedClient client;
    private final SimulatedNode node;
    private final Simulation simulation;
    private final FaultProfile profile;
    private final Set<Call<?>> inFlight = new LinkedHashSet<>();
    private long lastArrival;
    private long lastReply;
    /** It was closed while it was idle, and the client does not know. */
    private boolean stale;
    /** It leads to a server that was the master before, and is a replica now. */
    private boolean toReplica;

    Wire(Link link) {
        this.link = link;
        this.client = link.client();
        this.node = link.node();
        this.simulation = link.simulation();
        this.profile = link.profile();
    }

    /** A request and its reply. */
    private final class Call<T> {
        final Message<T> message;
        final CompletableFuture<T> reply = new CompletableFuture<>();
        Simulation.@Nullable Event arrival;
        boolean atReplica = toReplica;
        boolean lost;
        boolean executed;

        Call(Message<T> message) {
            this.message = message;
        }

        void fail(Failure failure) {
            if (inFlight.remove(this)) {
                simulation.note(
                        client.name(), "hears", () -> failure + " of " + message.what() + " from " + node.name());
                boolean unknown = failure != Failure.NOT_CONNECTED;
                if (unknown && arrival != null) {
                    message.lost().run();
                }
                reply.completeExceptionally(new StoreUnavailableException(
                        node.name() + " " + failure,
                        unknown,
                        new RedisConnectionException(failure, node.name() + " " + failure, null)));
            }
        }
    }

    <T> CompletionStage<T> send(Message<T> message) {
        if (message.connection() == Message.On.NEW) {
            replaced();
        }
        boolean found = stale;
        boolean checked = found && link.checks(message);
        if (found) {
            replaced();
        }
        Call<T> call = new Call<>(message);
        inFlight.add(call);
        if (found && !checked) {
            // Nothing was sent, but a client that writes to a closed connection cannot tell.
            client.at(simulation.now() + profile.delay(), this, () -> call.fail(Failure.CONNECTION_LOST));
            return call.reply;
        }
        if (!link.isConnected()) {
            client.at(simulation.now() + profile.delay(), this, () -> call.fail(Failure.NOT_CONNECTED));
            return call.reply;
        }
        long check = checked ? 2 * profile.delay() : 0;
        lastArrival = Math.max(lastArrival, link.notStalled(simulation.now() + check + profile.delay()));
        arriveAt(lastArrival, call);
        client.at(simulation.now() + client.commandTimeout(), this, () -> call.fail(Failure.TIMED_OUT));
        if (profile.cuts()) {
            simulation.at(simulation.between(simulation.now(), lastArrival + 2 * profile.delay()), this::cut);
        }
        return call.reply;
    }

    private void arriveAt(long when, Call<?> call) {
        call.arrival = simulation.at(when, () -> arrive(call));
    }

    private <T> void arrive(Call<T> call) {
        if (node.isUp() && node.standsStillUntil() > simulation.now()) {
            arriveAt(node.standsStillUntil() + simulation.between(0, FaultProfile.MILLI), call);
            return;
        }
        if (call.lost || !node.isUp()) {
            return;
        }
        if (call.atReplica) {
            if (!call.executed) {
                call.executed = true;
                simulation.note(
                        node.name(), "is asked", () -> call.message.what() + " of " + client.name() + " as a replica");
                reply(call, call.message.atReplica().get());
            }
            return;
        }
        simulation.note(
                node.name(), call.executed ? "does again" : "does", () -> call.message.what() + " of " + client.name());
        boolean first = !call.executed;
        call.executed = true;
        Set<LockWaiter> before = first ? Set.of() : LeftoverCheck.waiters(node);
        CompletionStage<T> result = call.message.work().apply(node.store());
        if (!first) {
            Set<LockWaiter> added = LeftoverCheck.waiters(node);
            added.removeAll(before);
            node.waitersByRepetition().addAll(added);
        }
        if (first) {
            reply(call, result);
        }
    }

    private <T> void reply(Call<T> call, CompletionStage<T> result) {
        result.whenComplete((value, failure) -> {
            lastReply = Math.max(lastReply, link.notStalled(simulation.now() + profile.delay()));
            client.at(lastReply, this, () -> deliver(call, result));
        });
    }

    private <T> void deliver(Call<T> call, CompletionStage<T> result) {
        if (!inFlight.remove(call)) {
            return;
        }
        result.whenComplete((value, failure) -> {
            simulation.note(
                    client.name(),
                    "hears",
                    () -> (failure == null ? value : failure) + " to " + call.message.what() + " from " + node.name());
            if (failure == null) {
                call.reply.complete(value);
            } else {
                if (call.atReplica) {
                    link.leaveReplica();
                }
                call.reply.completeExceptionally(failure);
            }
        });
    }

    /** Another connection takes its place, to the server that has the address now. */
    void replaced() {
        stale = false;
        toReplica = false;
    }

    /** The server closes it unless it is in use. */
    void closeIfIdle() {
        if (inFlight.isEmpty()) {
            stale = true;
        }
    }

    /** The server at its other end is a replica from now on. */
    void demoted() {
        toReplica = true;
        inFlight.forEach(call -> call.atReplica |= !call.executed);
    }

    /** The connection breaks. Requests in flight arrive a little later, or never; no reply arrives. */
    void cut() {
        toReplica = false;
        if (inFlight.isEmpty()) {
            stale = simulation.chance(CLOSED_UNNOTICED);
            return;
        }
        simulation.note(client.name(), "loses", () -> "a connection to " + node.name());
        List<Call<?>> broken = new ArrayList<>(inFlight);
        for (Call<?> call : broken) {
            Simulation.Event arrival = call.arrival;
            if (arrival == null) {
                continue; // It was never sent.
            }
            if (!call.executed && simulation.chance(CERTAINLY_NOT_EXECUTED)) {
                call.lost = true;
            } else if (!call.executed && simulation.random().nextBoolean()) {
                arrival.cancel();
                arriveAt(simulation.now() + simulation.between(0, LATEST), call);
            }
            if (!call.lost && profile.executesAgain()) {
                arriveAt(simulation.now() + simulation.between(0, LATEST), call);
            }
            client.at(simulation.now() + profile.delay(), this, () -> call.fail(Failure.CONNECTION_LOST));
        }
    }
}
