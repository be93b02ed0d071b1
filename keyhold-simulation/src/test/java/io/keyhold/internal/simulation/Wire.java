package io.keyhold.internal.simulation;

import io.keyhold.StoreUnavailableException;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One connection of a client to a node: requests arrive in the order in which they were sent, and so do replies. */
final class Wire {

    /** What was sent before its sender was told that there is no answer arrives within this time after all, if it does. */
    private static final long LATEST = 900 * Weather.MILLI;

    private static final double CERTAINLY_NOT_EXECUTED = 0.4;

    private final Link link;
    private final SimulatedClient client;
    private final SimulatedNode node;
    private final Simulation world;
    private final Weather weather;
    private final Set<Call<?>> underWay = new LinkedHashSet<>();
    private long lastArrival;
    private long lastReply;

    Wire(Link link) {
        this.link = link;
        this.client = link.client();
        this.node = link.node();
        this.world = link.world();
        this.weather = link.weather();
    }

    /** A request and its reply. */
    private final class Call<T> {
        final String what;
        final Function<NodeStore, CompletionStage<T>> work;
        final CompletableFuture<T> reply = new CompletableFuture<>();
        Simulation.@Nullable Event arrival;
        boolean lost;
        boolean executed;

        Call(String what, Function<NodeStore, CompletionStage<T>> work) {
            this.what = what;
            this.work = work;
        }

        void fail(Failure failure) {
            if (underWay.remove(this)) {
                world.note(client.name(), "hears", () -> failure + " of " + what + " from " + node.name());
                boolean unknown = failure != Failure.NOT_CONNECTED;
                reply.completeExceptionally(new StoreUnavailableException(
                        node.name() + " " + failure,
                        unknown,
                        new RedisConnectionException(failure, node.name() + " " + failure, null)));
            }
        }
    }

    <T> CompletionStage<T> send(String what, Function<NodeStore, CompletionStage<T>> work) {
        Call<T> call = new Call<>(what, work);
        underWay.add(call);
        if (!link.isConnected()) {
            client.at(world.now() + weather.delay(), this, () -> call.fail(Failure.NOT_CONNECTED));
            return call.reply;
        }
        lastArrival = Math.max(lastArrival, link.notStalled(world.now() + weather.delay()));
        arriveAt(lastArrival, call);
        client.at(world.now() + client.commandTimeout(), this, () -> call.fail(Failure.TIMED_OUT));
        if (weather.cuts()) {
            world.at(world.between(world.now(), lastArrival + 2 * weather.delay()), this::cut);
        }
        return call.reply;
    }

    private void arriveAt(long when, Call<?> call) {
        call.arrival = world.at(when, () -> arrive(call));
    }

    private <T> void arrive(Call<T> call) {
        if (node.isUp() && node.standsStillUntil() > world.now()) {
            arriveAt(node.standsStillUntil() + world.between(0, Weather.MILLI), call);
            return;
        }
        if (call.lost || !node.isUp()) {
            return;
        }
        world.note(node.name(), call.executed ? "does again" : "does", () -> call.what + " of " + client.name());
        boolean first = !call.executed;
        call.executed = true;
        Set<QueuePlace> before = first ? Set.of() : Leftovers.places(node);
        CompletionStage<T> result = call.work.apply(node.store());
        if (!first) {
            Set<QueuePlace> added = Leftovers.places(node);
            added.removeAll(before);
            node.placesByRepetition().addAll(added);
        }
        if (first) {
            lastReply = Math.max(lastReply, link.notStalled(world.now() + weather.delay()));
            client.at(lastReply, this, () -> answer(call, result));
        }
    }

    private <T> void answer(Call<T> call, CompletionStage<T> result) {
        if (!underWay.remove(call)) {
            return;
        }
        result.whenComplete((value, failure) -> {
            world.note(
                    client.name(),
                    "hears",
                    () -> (failure == null ? value : failure) + " to " + call.what + " from " + node.name());
            if (failure == null) {
                call.reply.complete(value);
            } else {
                call.reply.completeExceptionally(failure);
            }
        });
    }

    /** The connection breaks. What was under way to the node arrives a little later, or never; no reply arrives. */
    void cut() {
        if (underWay.isEmpty()) {
            return;
        }
        world.note(client.name(), "loses", () -> "a connection to " + node.name());
        List<Call<?>> broken = new ArrayList<>(underWay);
        for (Call<?> call : broken) {
            Simulation.Event arrival = call.arrival;
            if (arrival == null) {
                continue; // It was never sent.
            }
            if (!call.executed && world.chance(CERTAINLY_NOT_EXECUTED)) {
                call.lost = true;
            } else if (!call.executed && world.random().nextBoolean()) {
                arrival.cancel();
                arriveAt(world.now() + world.between(0, LATEST), call);
            }
            if (!call.lost && weather.executesAgain()) {
                arriveAt(world.now() + world.between(0, LATEST), call);
            }
            client.at(world.now() + weather.delay(), this, () -> call.fail(Failure.CUT));
        }
    }
}
