package io.keyhold;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A number of permits that clients share: at most so many are out at a time. Whoever finds too few waits in one line at the
 * server, first come, first served, also for several permits at once: a large request is not overtaken by small ones. Safe
 * for use by many threads.
 *
 * <p>Every acquire answers a {@link Lease} of its own, which holds the permits that were asked for: they come back together
 * when it is released, or when it ends because its process died. A thread may hold several. Waiting, interrupts, failures
 * and the asynchronous twins are as with {@link DistributedLock}.
 *
 * <p>How many permits there are is agreed on at the server: the first client to use the semaphore sets it, and one that
 * says another number is refused with {@link SemaphoreLimitException}, unless it says
 * {@link SemaphoreOptions.Builder#joinExisting()}.
 */
public interface DistributedSemaphore {

    /** The key, without the client's prefix. */
    String key();

    /** The options of this semaphore. */
    SemaphoreOptions options();

    /**
     * The same semaphore with some options changed, for one call or for many:
     * {@code semaphore.with(options -> options.lease(Duration.ofMinutes(5))).acquire()}.
     */
    DistributedSemaphore with(UnaryOperator<SemaphoreOptions.Builder> change);

    /** One permit; as {@link #acquire(int)}. */
    Lease acquire() throws InterruptedException;

    /**
     * Takes so many permits, and waits while they are not to be had: for ever, unless the options set a {@code maxWait}.
     *
     * @param permits from 1 to the semaphore's number
     * @throws AcquireTimeoutException when the time is spent
     * @throws SemaphoreLimitException if the semaphore has another number of permits than this client says
     */
    Lease acquire(int permits) throws InterruptedException;

    /** One permit; as {@link #tryAcquire(int)}. */
    Optional<Lease> tryAcquire();

    /**
     * Takes so many permits if they are free now and nobody waits for any: one attempt, no waiting.
     *
     * @param permits from 1 to the semaphore's number
     * @throws SemaphoreLimitException if the semaphore has another number of permits than this client says
     */
    Optional<Lease> tryAcquire(int permits);

    /** One permit; as {@link #tryAcquire(int, Duration)}. */
    Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException;

    /**
     * Takes so many permits if they can be had within this time, for each of the options' attempts.
     *
     * @param permits from 1 to the semaphore's number
     * @param maxWait zero to 365 days; zero means one attempt
     * @throws SemaphoreLimitException if the semaphore has another number of permits than this client says
     */
    Optional<Lease> tryAcquire(int permits, Duration maxWait) throws InterruptedException;

    /** One permit; as {@link #acquireAsync(int)}. */
    CompletableFuture<Lease> acquireAsync();

    /**
     * As {@link #acquire(int)}, without a thread that waits. Cancelling the future withdraws the request; permits that were
     * granted meanwhile are given back.
     */
    CompletableFuture<Lease> acquireAsync(int permits);

    /** As {@link #tryAcquire()}, without a thread that waits. */
    CompletableFuture<Optional<Lease>> tryAcquireAsync();

    /** As {@link #tryAcquire(int)}, without a thread that waits. */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(int permits);

    /** As {@link #tryAcquire(Duration)}, without a thread that waits. */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait);

    /** As {@link #tryAcquire(int, Duration)}, without a thread that waits. */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(int permits, Duration maxWait);

    /**
     * Takes one permit, runs the work, and gives it back, whatever the work does.
     *
     * @throws LeaseLostException if the permit was lost before the work ended; when the work itself threw, this is attached
     *     to its exception as suppressed
     */
    void run(Runnable work) throws InterruptedException;

    /** As {@link #run(Runnable)}; the work can see its lease. */
    void run(Consumer<Lease> work) throws InterruptedException;

    /**
     * Takes one permit, calls the work, gives the permit back, and answers the work's result.
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

    /**
     * How many permits are free now; by the options' number if nobody uses the semaphore. Zero while more are out than there
     * are, which follows on a {@link #resize} to less. Asks the server.
     */
    int availablePermits();

    /** Whether this token holds permits now. Asks the server. */
    boolean isHeld(String token);

    /**
     * Gives back the permits that this token holds, whichever process took them. Once: a token that holds nothing, or not any
     * more, adds no permit.
     *
     * @return whether it held any
     */
    boolean release(String token);

    /**
     * Takes over a hold by its token, as {@link DistributedLock#adopt}.
     *
     * @throws LeaseLostException if the token holds no permit
     */
    Lease adopt(String token);

    /**
     * Changes, at the server and for all clients, how many permits there are. More: those who wait are served at once. Less:
     * nobody loses a permit, but nobody gets one before enough have come back. Clients that say the old number go on; those
     * that wait for more permits than there are now fail with {@link SemaphoreLimitException}.
     *
     * @param permits 1 to 1,000,000,000
     * @return how many there were; the same number if nobody used the semaphore
     */
    int resize(int permits);
}
