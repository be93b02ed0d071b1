package io.keyhold.internal.simulation;

import io.keyhold.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One operation of a workload.
 *
 * @param keys of what
 * @param permits how many of a semaphore; all of them for an exclusive hold
 * @param waits whether it waits for it
 * @param leaseMillis for how long
 * @param renewed whether it is renewed
 * @param maxWait for how long it waits; empty if for ever
 * @param queues whether it waits in the queue, rather than poll a number of times
 * @param passes whether local hand-over is allowed
 * @param ask asks for it
 */
record Operation(
        List<String> keys,
        int permits,
        boolean waits,
        long leaseMillis,
        boolean renewed,
        Optional<Duration> maxWait,
        boolean queues,
        boolean passes,
        Supplier<CompletableFuture<Optional<Lease>>> ask) {}
