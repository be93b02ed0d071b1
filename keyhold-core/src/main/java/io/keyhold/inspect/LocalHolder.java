package io.keyhold.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A hold of this client.
 *
 * @param token the holder as the server knows it ({@link LockHolder#token()}); holds that are handed over within the client share it
 * @param fencingToken the fencing token of the hold
 * @param mode whether it holds alone
 * @param permits how many permits of a semaphore it holds; 1 for everything else
 * @param name the name for metrics ({@link io.keyhold.HoldOptions#name()})
 * @param heldSince when it was granted, by the clock of this machine
 * @param remaining how long the hold is certain unless it is renewed; empty if it never expires
 * @param renewed whether its lease is renewed
 * @param thread the name of the thread that it belongs to; empty if it belongs to none
 */
public record LocalHolder(
        String token,
        long fencingToken,
        LockMode mode,
        int permits,
        Optional<String> name,
        Instant heldSince,
        Optional<Duration> remaining,
        boolean renewed,
        Optional<String> thread) {}
