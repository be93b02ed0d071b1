package io.keyhold;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One hold of a lock. It ends when it is released, when it expires, or when it is lost: pass its
 * {@link #fencingToken()} to whatever the lock protects, and that can refuse a holder that has not noticed.
 *
 * <p>Safe for use by many threads.
 */
public interface Lease extends AutoCloseable {

    /** The lock's key, without the client's prefix. */
    String key();

    /**
     * What this hold can be released or adopted by, from any process: unique to it, and readable (client name, host,
     * process). It is what the lock's key holds on the server, with {@code /n} behind it if the lock came by way of
     * {@code n} other threads of the same client. A hold whose token was read is not passed on within the client
     * ({@link Fairness#BATCHED}) but released at the server.
     */
    String token();

    /** Larger than the fencing token of every earlier hold of this key. */
    long fencingToken();

    /** How many times the lock was asked for until it was granted, from 1. */
    int attempts();

    /** Whether this is still held, by local knowledge and without a call: false once released, expired or lost. */
    boolean isHeld();

    /** Whether the server says that this still holds the lock. */
    boolean isOwned();

    /**
     * How long this is certain to hold yet: the server's expiry, counted from before the request was sent, less an
     * allowance for clocks that run at different speeds. Zero once it is not held; 100 years for a lease without
     * expiry. A renewed lease starts anew at each renewal.
     */
    Duration remaining();

    /**
     * Makes the lease last for at least this long from now; it never ends sooner for it. A renewed lease is renewed for
     * this long from now on, a lease without expiry stays as it is.
     *
     * @return false if it was no longer ours, which is then reported as its loss
     */
    boolean extend(Duration lease);

    /**
     * Releases the lock. When the server cannot be reached, throws {@link StoreUnavailableException}, and the release
     * is repeated in the background until the lease would have ended; {@link #isHeld()} is false in any case.
     *
     * @return false if it was no longer ours: released before, expired or lost. The next holder is left alone then.
     */
    boolean release();

    /** As {@link #release()}, without a thread that waits. */
    CompletableFuture<Boolean> releaseAsync();

    /**
     * Completes when the lease is lost while it is held: it expired, another took it, or the server could not be
     * reached in time to renew it. Never completes after a release that found the lock still ours.
     */
    CompletionStage<LeaseLost> lost();

    /**
     * Says that another thread will release this: the thread that took the lock may then ask for it again, and waits
     * like any other.
     *
     * @return this lease
     */
    Lease detach();

    /**
     * Lets go of the lease here without releasing it: it is no longer renewed, nor released by {@link #close()}. Some
     * other process goes on with {@link DistributedLock#adopt}, within the time that {@link #remaining()} told before.
     *
     * @return the token to adopt
     * @throws LeaseLostException if it is not held any more
     */
    String handOff();

    /** {@link #release()} with its outcome ignored; never throws. A failure is logged and repeated in the background. */
    @Override
    void close();
}
