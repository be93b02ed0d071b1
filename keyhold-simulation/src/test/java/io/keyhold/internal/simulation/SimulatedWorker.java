package io.keyhold.internal.simulation;

import io.keyhold.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A thread of a user: acquires, works, releases, again and again. */
final class SimulatedWorker {

    private final Simulation simulation;
    private final SimulatedClient client;
    private final String name;
    private final Workload workload;
    private final HoldHistory history;
    private final long busy;
    private int left;
    private boolean idle = true;

    SimulatedWorker(
            Simulation simulation,
            SimulatedClient client,
            int number,
            Workload workload,
            HoldHistory history,
            long busy,
            int often) {
        this.simulation = simulation;
        this.client = client;
        this.name = client.name() + "/" + number;
        this.workload = workload;
        this.history = history;
        this.busy = busy;
        this.left = often;
    }

    void start() {
        rest();
    }

    /** Ends after the current operation. */
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
        long pause = simulation.chance(0.3) ? 0 : simulation.between(0, 4 * busy);
        client.at(simulation.now() + pause, this, this::ask);
    }

    private void ask() {
        if (left == 0) {
            return;
        }
        left--;
        idle = false;
        client.mayPause();
        Operation operation = workload.next(client);
        long began = simulation.now();
        long floor = history.began(this, client, operation);
        simulation.note(
                name,
                "asks",
                () -> operation.keys() + (operation.waits() ? "" : " at once") + " for " + operation.leaseMillis()
                        + " ms" + (operation.renewed() ? ", renewed" : ""));
        Contact contact = new Contact();
        CompletableFuture<Optional<Lease>> request = client.asking(contact, operation.ask());
        if (operation.waits() && simulation.chance(0.15)) {
            client.at(
                    simulation.now()
                            + simulation.between(
                                    0, simulation.chance(0.5) ? FaultProfile.SECOND / 5 : 3 * FaultProfile.SECOND),
                    this,
                    () -> cancel(request));
        }
        request.whenComplete((lease, failure) -> {
            if (lease != null && lease.isPresent()) {
                got(
                        history.issued(this, new Hold(client, operation, lease.get(), began, simulation.now()), floor),
                        operation);
            } else {
                simulation.note(name, "has not", () -> failure == null ? "in time" : failure.toString());
                if (failure == null) {
                    history.ended(this);
                } else {
                    history.failed(this, operation, began, contact, failure);
                }
                rest();
            }
        });
    }

    private void cancel(CompletableFuture<Optional<Lease>> request) {
        if (!request.isDone()) {
            simulation.note(name, "cancels", () -> "");
            request.cancel(false);
        }
    }

    private void got(Hold hold, Operation operation) {
        simulation.note(name, "has", hold::toString);
        long work = work(operation);
        long writes = simulation.between(0, 3);
        for (int i = 0; i < writes; i++) {
            client.at(simulation.now() + simulation.between(0, work), hold, () -> write(hold));
        }
        client.at(simulation.now() + work, hold, () -> giveBack(hold));
    }

    /** Some hold longer than their lease, with renewal or by mistake. */
    private long work(Operation operation) {
        if (simulation.chance(0.3)) {
            return 0;
        }
        boolean longer = workload.mayHoldTooLong() && simulation.chance(operation.renewed() ? 0.3 : 0.2);
        long leases = operation.renewed() ? workload.longestHoldInLeases() : 2;
        return simulation.between(0, longer ? leases * operation.leaseMillis() * FaultProfile.MILLI : 2 * busy);
    }

    /** Between the check of the lease and the write there may be a pause, and then only the fencing token helps. */
    private void write(Hold hold) {
        if (hold.lease.isHeld()) {
            client.mayPauseLong();
            simulation.after(simulation.between(0, 20 * FaultProfile.MILLI), () -> history.written(hold));
        }
    }

    private void giveBack(Hold hold) {
        client.mayPause();
        simulation.note(name, "releases", hold::toString);
        Optional<Duration> rest = workload.rest();
        rest.ifPresent(time -> history.rests(hold, time));
        CompletableFuture<Boolean> release =
                rest.map(hold.lease::releaseAfterAsync).orElseGet(hold.lease::releaseAsync);
        history.releasing(hold);
        release.whenComplete((done, failure) -> {
            simulation.note(name, "released", () -> failure == null ? done.toString() : failure.toString());
            history.released(hold, failure == null ? Optional.of(done) : Optional.empty());
            rest();
        });
    }
}
