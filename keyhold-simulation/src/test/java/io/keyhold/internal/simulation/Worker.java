package io.keyhold.internal.simulation;

import io.keyhold.Lease;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A thread of a user: wants something, works under it, gives it back, and so on. */
final class Worker {

    private final Simulation world;
    private final SimulatedClient client;
    private final String name;
    private final Wants wants;
    private final History history;
    private final long busy;
    private int left;
    private boolean idle = true;

    Worker(Simulation world, SimulatedClient client, int number, Wants wants, History history, long busy, int often) {
        this.world = world;
        this.client = client;
        this.name = client.name() + "/" + number;
        this.wants = wants;
        this.history = history;
        this.busy = busy;
        this.left = often;
    }

    void start() {
        rest();
    }

    /** Wants nothing more after what it wants now. */
    void stop() {
        left = 0;
    }

    boolean isDone() {
        return (left == 0 && idle) || !client.isAlive();
    }

    @Override
    public String toString() {
        return name;
    }

    private void rest() {
        idle = true;
        long pause = world.chance(0.3) ? 0 : world.between(0, 4 * busy);
        client.at(world.now() + pause, this, this::ask);
    }

    private void ask() {
        if (left == 0) {
            return;
        }
        left--;
        idle = false;
        client.mayPause();
        Want want = wants.next(client);
        long began = world.now();
        long floor = history.began(this, client, want);
        world.note(
                name,
                "wants",
                () -> want.keys() + (want.waits() ? "" : " at once") + " for " + want.leaseMillis() + " ms"
                        + (want.renewed() ? ", renewed" : ""));
        Contact contact = new Contact();
        CompletableFuture<Optional<Lease>> request = client.asking(contact, want.ask());
        if (want.waits() && world.chance(0.15)) {
            client.at(
                    world.now() + world.between(0, world.chance(0.5) ? Weather.SECOND / 5 : 3 * Weather.SECOND),
                    this,
                    () -> cancel(request));
        }
        request.whenComplete((lease, failure) -> {
            if (lease != null && lease.isPresent()) {
                got(history.issued(this, new Hold(client, want, lease.get(), began, world.now()), floor), want);
            } else {
                world.note(name, "has not", () -> failure == null ? "in time" : failure.toString());
                if (failure == null) {
                    history.ended(this);
                } else {
                    history.failed(this, want, began, contact, failure);
                }
                rest();
            }
        });
    }

    private void cancel(CompletableFuture<Optional<Lease>> request) {
        if (!request.isDone()) {
            world.note(name, "cancels", () -> "");
            request.cancel(false);
        }
    }

    private void got(Hold hold, Want want) {
        world.note(name, "has", hold::toString);
        long work = work(want);
        long writes = world.between(0, 3);
        for (int i = 0; i < writes; i++) {
            client.at(world.now() + world.between(0, work), hold, () -> write(hold));
        }
        client.at(world.now() + work, hold, () -> giveBack(hold));
    }

    /** Some hold longer than their lease, which is a matter for renewal, or a mistake of theirs. */
    private long work(Want want) {
        if (world.chance(0.3)) {
            return 0;
        }
        boolean longer = wants.mayHoldTooLong() && world.chance(want.renewed() ? 0.3 : 0.2);
        return world.between(0, longer ? 2 * want.leaseMillis() * Weather.MILLI : 2 * busy);
    }

    /** Between the look at the lease and the write there may be a pause, and then only the fencing token helps. */
    private void write(Hold hold) {
        if (hold.lease.isHeld()) {
            client.mayPauseLong();
            world.after(world.between(0, 20 * Weather.MILLI), () -> history.written(hold));
        }
    }

    private void giveBack(Hold hold) {
        client.mayPause();
        world.note(name, "releases", hold::toString);
        CompletableFuture<Boolean> release = hold.lease.releaseAsync();
        history.releasing(hold);
        release.whenComplete((done, failure) -> {
            world.note(name, "released", () -> failure == null ? done.toString() : failure.toString());
            history.released(hold, failure == null ? Optional.of(done) : Optional.empty());
            rest();
        });
    }
}
