package io.keyhold.inspect;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A pending request of this client.
 *
 * @param mode whether it wants to hold alone
 * @param permits how many permits of a semaphore it waits for; 1 for everything else
 * @param name the name for metrics ({@link io.keyhold.HoldOptions#name()})
 * @param waitingSince when it was made, by the clock of this machine
 * @param state what it waits for
 * @param ahead how many requests are ahead of it in the local queue; empty if it does not use that ({@link io.keyhold.Fairness#BATCHED}
 *     locks do)
 * @param thread the name of the thread that waits; empty for an asynchronous request
 */
public record LocalWaiter(
        LockMode mode,
        int permits,
        Optional<String> name,
        Instant waitingSince,
        State state,
        OptionalInt ahead,
        Optional<String> thread) {

    /** What a request waits for. */
    public enum State {
        /** Its turn in the local queue: another request or hold of this client is ahead. The server does not see it. */
        LOCAL_QUEUE,
        /** A reply of the server, or a connection. */
        IN_FLIGHT,
        /** Its turn in the queue at the server. */
        QUEUED,
        /** The next attempt: the lock is taken, and the request does not wait in the queue, or there is none. */
        POLLING,
        /** The end of an outage: the server cannot be reached, or does not serve. */
        OUTAGE
    }
}
