package io.keyhold.internal.simulation;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.LockStore;
import io.keyhold.spi.CallMode;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * What a client's store grants in time, whether it reaches the user or not: the fencing token is larger than all that were granted before it
 * was first asked for by this token.
 */
final class WatchedStore extends DelegatingStore {

    private final Tokens tokens;
    private final KeyholdClock clock;
    private final SimulatedClient client;
    private final Simulation simulation;
    private final Map<String, Long> floors = new HashMap<>();
    private final Map<String, Contact> contacts = new HashMap<>();

    WatchedStore(LockStore store, Tokens tokens, SimulatedClient client, Simulation simulation) {
        super(store);
        this.tokens = tokens;
        this.clock = client.clock();
        this.client = client;
        this.simulation = simulation;
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        long floor = floors.computeIfAbsent(
                request.token(), none -> tokens.largest(request.claim().keys()));
        Contact contact = contacts.computeIfAbsent(
                request.token(), none -> client.contact().orElseGet(Contact::new));
        Sent sent = new Sent(sending);
        return super.acquire(request, mode, sent).thenApply(reply -> {
            contact.replied(simulation.now());
            // A grant that arrives after its lease is released by the client.
            if (reply instanceof AcquireReply.Granted granted && sent.isInTime(request.leaseMillis())) {
                tokens.granted(request.claim().keys(), Trace.brief(request.token()), granted.fencingToken(), floor);
            }
            return reply;
        });
    }

    /** The moment from which a lease counts, by either clock: a machine that sleeps stops one of them. */
    private final class Sent implements Runnable {
        private final Runnable sending;
        private long nanos = clock.monotonicNanos();
        private long wall = clock.wallMillis();

        Sent(Runnable sending) {
            this.sending = sending;
        }

        @Override
        public void run() {
            nanos = clock.monotonicNanos();
            wall = clock.wallMillis();
            sending.run();
        }

        /** Whether a lease of this many milliseconds has not ended. */
        boolean isInTime(long lease) {
            return lease == AcquireRequest.NO_EXPIRY
                    || (clock.monotonicNanos() - nanos < lease * FaultProfile.MILLI
                            && clock.wallMillis() - wall < lease);
        }
    }
}
