package io.keyhold.inspect;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A request that waits in the queue of a lock. With {@link io.keyhold.Fairness#BATCHED} one request of a client waits here for all
 * of its threads; the others wait in the client's local queue, which no server sees.
 *
 * @param token the value of the lock's key once this waiter holds it
 * @param mode whether it wants to hold alone
 * @param permits how many permits of a semaphore it waits for; 1 for everything else
 * @param clientName the waiter's client name
 * @param host the waiter's machine
 * @param processId the waiter's process
 * @param waitingSince when it joined the queue, by the clock of its machine
 */
public record LockWaiter(
        String token,
        LockMode mode,
        int permits,
        Optional<String> clientName,
        Optional<String> host,
        OptionalLong processId,
        Instant waitingSince) {}
