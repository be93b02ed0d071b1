package io.keyhold;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A lock that at most one client holds at a time, as far as a lease on Redis can promise that ({@code
 * docs/guarantees.md}). Safe for use by many threads.
 *
 * <p>All methods that talk to the server throw {@link StoreUnavailableException} when it does not answer or refuses,
 * and {@link KeyholdClosedException} when the client is closed. Those that wait for a lock throw
 * {@link InterruptedException} when the thread is interrupted, and leave nothing behind then; those that only ask the
 * server once take no notice of interrupts, and end within the driver's timeouts. The asynchronous twins fail with the
 * same exceptions.
 */
public interface DistributedLock {

    /** The key, without the client's prefix. */
    String key();

    /** The options of this lock. */
    LockOptions options();

    /**
     * The same lock with some options changed, for one call or for many:
     * {@code lock.with(options -> options.lease(Duration.ofSeconds(5))).acquire()}.
     */
    DistributedLock with(UnaryOperator<LockOptions.Builder> change);

    /**
     * Takes the lock, and waits while another has it: for ever, unless the options set a {@code maxWait} or a number of
     * retries.
     *
     * @throws AcquireTimeoutException when these are spent
     * @throws AlreadyHeldException if this thread holds the lock already
     */
    Lease acquire() throws InterruptedException;

    /**
     * Takes the lock if it is free now: one attempt, no waiting.
     *
     * @throws AlreadyHeldException if this thread holds the lock already
     */
    Optional<Lease> tryAcquire();

    /**
     * Takes the lock if it can be had within this time, or within the options' retries if these are spent sooner.
     * Returns at most one command's time later than that.
     *
     * @param maxWait zero to 365 days; zero means one attempt
     * @throws AlreadyHeldException if this thread holds the lock already
     */
    Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException;

    /**
     * As {@link #acquire()}, without a thread that waits. Cancelling the future withdraws the request; a lock that was
     * granted meanwhile is released. The lease belongs to no thread.
     */
    CompletableFuture<Lease> acquireAsync();

    /** As {@link #tryAcquire()}, without a thread that waits. */
    CompletableFuture<Optional<Lease>> tryAcquireAsync();

    /** As {@link #tryAcquire(Duration)}, without a thread that waits. */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait);

    /**
     * Takes the lock, runs the work, and releases, whatever the work does.
     *
     * @throws LeaseLostException if the lock was lost before the work ended; when the work itself threw, this is
     *     attached to its exception as suppressed
     */
    void run(Runnable work) throws InterruptedException;

    /** As {@link #run(Runnable)}; the work can see its lease, and so its fencing token and the attempts it took. */
    void run(Consumer<Lease> work) throws InterruptedException;

    /**
     * Takes the lock, calls the work, releases, and answers the work's result.
     *
     * @throws LeaseLostException as {@link #run(Runnable)}
     * @throws Exception what the work throws
     */
    <T> T call(Callable<T> work) throws Exception;

    /**
     * As {@link #call(Callable)}; the work can see its lease.
     *
     * @throws Exception what the work throws
     */
    <T> T call(LeaseTask<T> work) throws Exception;

    /** Whether anyone holds the lock now, be it a Keyhold client or another. Asks the server. */
    boolean isLocked();

    /**
     * Releases the lock if this token holds it, whichever process took it.
     *
     * @return whether it did; false leaves the lock as it is
     */
    boolean release(String token);

    /**
     * Takes over a hold by its token, for example from another process that called {@link Lease#handOff()}. The lease
     * runs anew, by this lock's options. A first holder that did not hand it off still releases it when it is done.
     *
     * @throws LeaseLostException if the token does not hold the lock
     */
    Lease adopt(String token);

    /**
     * A view of this lock that threads own: reentrant, and to be unlocked by the thread that locked it. Re-entry costs
     * no call to the server. All views of one key and one client share their owner. Conditions are not supported.
     *
     * <p>{@code unlock} of a lease that was lost meanwhile does not throw, because it stands in a finally block; set
     * {@link LockOptions.Builder#onLost} to hear of it. Re-entry after a loss throws {@link LeaseLostException}.
     */
    Lock asLock();
}
