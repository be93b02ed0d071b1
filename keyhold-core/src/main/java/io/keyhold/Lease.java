package io.keyhold;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One hold of a lock, or of permits of a semaphore. It ends when it is released, when it expires, or when it is lost. Pass its
 * {@link #fencingToken()} to whatever the lock protects, so that it can refuse a holder that has not noticed a loss.
 *
 * <pre>{@code
 * try (Lease lease = lock.acquire()) {
 *     lease.lost().thenAccept(loss -> worker.stop());          // another client may get the lock now
 *     for (Batch batch : batches) {
 *         if (!lease.isHeld()) {                               // asks no server
 *             break;
 *         }
 *         database.write(batch, lease.fencingToken());
 *     }
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public interface Lease extends AutoCloseable {

    /** What {@link #remaining()} returns for a lease that never expires: 100 years. */
    Duration ENDLESS = Duration.ofDays(36_525);

    /**
     * Returns the key of the lock or semaphore.
     *
     * @return the key, without the client's prefix; of several locks the keys, separated by commas
     */
    String key();

    /**
     * Returns the token by which this hold can be released or adopted, from any process: unique to it, and readable (client
     * name, host, process). It is what the lock's key holds on the server, with {@code /n} behind it if the lock was handed over
     * {@code n} times between threads of the same client. A hold whose token was read is not handed over within the client
     * ({@link Fairness#BATCHED}) but released at the server.
     *
     * @return the token
     */
    String token();

    /**
     * Returns a number that is larger than the fencing token of every earlier hold of this key.
     *
     * @return the fencing token
     */
    long fencingToken();

    /**
     * Returns how many times the server was asked until it granted this.
     *
     * @return the number of attempts, from 1
     */
    int attempts();

    /**
     * Returns whether this is still held, by local knowledge and without a call to the server.
     *
     * @return false once it was released, expired or lost
     */
    boolean isHeld();

    /**
     * Asks the server whether this is still held there.
     *
     * @return whether it is
     * @throws StoreUnavailableException if the server cannot be asked
     */
    boolean isHeldOnServer();

    /**
     * Returns for how long this is certain to be held: the server's expiry, counted from before the request was sent, less an
     * allowance for clocks that run at different speeds. Starts again at each renewal.
     *
     * @return the time; zero if it is no longer held, and {@link #ENDLESS} if it never expires
     */
    Duration remaining();

    /**
     * Makes the lease last for at least this long from now; it never ends sooner for it. A renewed lease is renewed for
     * this long from now on, a lease that never expires stays as it is.
     *
     * @param lease from 10 ms to 31 days
     * @return false if it was no longer held, which is then reported as its loss
     * @throws StoreUnavailableException if the server cannot be asked
     */
    boolean extend(Duration lease);

    /**
     * Releases the lock or the permits. {@link #isHeld()} is false afterwards in any case.
     *
     * @return false if it was no longer held: released before, expired or lost. The next holder is left alone then.
     * @throws StoreUnavailableException if the server cannot be reached; the release is then repeated in the background until the
     *     lease would have ended
     * @throws StoreRefusedException if the server refuses; the release is repeated likewise
     */
    boolean release();

    /**
     * Ends the hold, and keeps the key taken for this long from now: for work that must not run again so soon (a cool-down, what ShedLock
     * calls {@code lockAtLeastFor}). The rest may be shorter or longer than what was left of the lease; this is the only call that
     * ends a lease sooner than the server promised. The lock is never handed over within the client instead; after the rest it goes to
     * the next waiter.
     *
     * <p>To this client the lease is released: it is not held, not renewed and not lost, and its thread may acquire the lock again, after the rest.
     * During the rest the token holds nothing: {@link DistributedLock#release(String)} returns false and {@link DistributedLock#adopt} fails.
     * {@link io.keyhold.inspect.LockInspector} shows the key as held, until the end of the rest, by the token with
     * {@code (resting)} behind it, and can force its release.
     *
     * <p>Failures are those of {@link #release()}. If the outcome is unknown, it is repeated in the background with what is left of the
     * rest: the key is free no sooner than the rest ends, or the lease if the server cannot be reached before that.
     *
     * @param rest from 0, which is {@link #release()}, to 31 days; on a quorum at most its longest lease. Rounded up to milliseconds
     * @return false if it was no longer ours: released before, expired or lost. The next holder is left alone then.
     */
    boolean releaseAfter(Duration rest);

    /**
     * Releases as {@link #release()} does, without blocking a thread.
     *
     * @return completes with what {@link #release()} returns
     */
    CompletableFuture<Boolean> releaseAsync();

    /**
     * Releases as {@link #releaseAfter} does, without blocking a thread. A bad value is refused by this call, and not by the future.
     *
     * @param rest as for {@link #releaseAfter}
     * @return completes with what {@link #releaseAfter} returns
     */
    CompletableFuture<Boolean> releaseAfterAsync(Duration rest);

    /**
     * Returns a stage that completes when the lease is lost while it is held: it expired, another client has the lock, or the
     * server could not be reached in time to renew it. Never completes after a release that found the lock still held.
     *
     * @return completes with what is known of the loss
     */
    CompletionStage<LeaseLost> lost();

    /**
     * Detaches this lease from the thread that acquired it, because another thread will release it. The first thread may then
     * wait for the lock again like any other.
     *
     * @return this lease
     */
    Lease detach();

    /**
     * Ends the lease here without releasing it: it is no longer renewed, nor released by {@link #close()}. Another process goes
     * on with {@link DistributedLock#adopt}, within the time that {@link #remaining()} returned before.
     *
     * @return the token to adopt
     * @throws LeaseLostException if it is no longer held
     */
    String handOff();

    /**
     * Releases as {@link #release()} does, and reports a loss: a try-with-resources block that ends normally has held the lock to its
     * end. Throws once; closing again has no effect. If the block itself throws, its exception has this one as suppressed. A server
     * that cannot be reached for the release is no exception: that is logged, and the release is repeated in the background.
     *
     * @throws LeaseLostException if the lease was lost before it was released
     */
    @Override
    void close();
}
