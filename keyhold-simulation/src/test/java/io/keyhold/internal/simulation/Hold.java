package io.keyhold.internal.simulation;

import io.keyhold.Lease;
import java.util.List;

/** A lease that a user got. */
final class Hold {

    final SimulatedClient client;
    final List<String> keys;
    final int permits;
    final Lease lease;
    private final boolean passes;
    final long fencingToken;
    /** When its request began, and when it was given to the user. */
    final long began;

    final long issued;
    /** It was seen as not held: so it must stay. */
    boolean over;

    Hold(SimulatedClient client, Operation operation, Lease lease, long began, long issued) {
        this.client = client;
        this.keys = operation.keys();
        this.permits = operation.permits();
        this.lease = lease;
        this.passes = operation.passes();
        this.fencingToken = lease.fencingToken();
        this.began = began;
        this.issued = issued;
    }

    /** By its own clock. A dead client holds nothing. */
    boolean isHeld() {
        return client.isAlive() && lease.isHeld();
    }

    /** Whether only the server can free it: there is no local hand-over. */
    boolean isReleasedByServer() {
        return !passes;
    }

    @Override
    public String toString() {
        return client.name() + " with " + fencingToken + " of " + keys + (permits > 1 ? " (" + permits + ")" : "");
    }
}
