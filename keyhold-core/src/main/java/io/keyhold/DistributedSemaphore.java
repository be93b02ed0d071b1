package io.keyhold;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A number of permits that clients share. A request that finds too few waits in one queue at the server, first come, first
 * served, also for several permits at once: a large request is not overtaken by small ones. Safe for use by many threads.
 *
 * <pre>{@code
 * DistributedSemaphore gpus = keyhold.semaphore("gpu", 4);     // at most four at a time, over all clients
 *
 * try (Lease two = gpus.acquire(2)) {
 *     train();                                                 // two permits are held here
 * }
 *
 * gpus.run(() -> render(frame));                               // one permit
 * }</pre>
 *
 * <p>Every acquire returns a {@link Lease} of its own, which holds the permits that were requested: they come back together
 * when it is released, or when it ends because its process died. A thread may hold several. Waiting, interrupts, failures
 * and the asynchronous twins are as with {@link DistributedLock}.
 *
 * <p>The number of permits is agreed on at the server: the first client to use the semaphore sets it, and a client that is
 * configured for another number is refused with {@link SemaphoreLimitException}, unless it sets
 * {@link SemaphoreOptions.Builder#joinExisting()}.
 */
public interface DistributedSemaphore {

    /**
     * Returns the key.
     *
     * @return the key, without the client's prefix
     */
    String key();

    /**
     * Returns the options of this semaphore.
     *
     * @return the options
     */
    SemaphoreOptions options();

    /**
     * Returns the same semaphore with some options changed, for one call or for many:
     * {@code semaphore.with(options -> options.lease(Duration.ofMinutes(5))).acquire()}.
     *
     * @param change sets what differs
     * @return another object for the same semaphore
     */
    DistributedSemaphore with(UnaryOperator<SemaphoreOptions.Builder> change);

    /**
     * Acquires one permit, as {@link #acquire(int)} does.
     *
     * @return the lease
     * @throws InterruptedException if this thread is interrupted
     */
    Lease acquire() throws InterruptedException;

    /**
     * Acquires the given number of permits, waiting until they are available. Waits indefinitely unless the options set
     * {@code maxWait} or {@code retries}.
     *
     * @param permits from 1 to the semaphore's number
     * @return the lease, which holds these permits
     * @throws AcquireTimeoutException if they were not granted within these limits
     * @throws SemaphoreLimitException if the semaphore has another number of permits than this client is configured for
     * @throws InterruptedException if this thread is interrupted
     */
    Lease acquire(int permits) throws InterruptedException;

    /**
     * Acquires one permit, as {@link #tryAcquire(int)} does.
     *
     * @return the lease, or empty if no permit is available
     */
    Optional<Lease> tryAcquire();

    /**
     * Acquires the given number of permits if they are available now and no request waits for any: one attempt, no waiting.
     *
     * @param permits from 1 to the semaphore's number
     * @return the lease, or empty if too few permits are available
     * @throws SemaphoreLimitException if the semaphore has another number of permits than this client is configured for
     */
    Optional<Lease> tryAcquire(int permits);

    /**
     * Acquires one permit, as {@link #tryAcquire(int, Duration)} does.
     *
     * @param maxWait zero to 365 days; zero means one attempt
     * @return the lease, or empty if no permit was granted in time
     * @throws InterruptedException if this thread is interrupted
     */
    Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException;

    /**
     * Acquires the given number of permits if they are granted within the given time, or within the options' {@code retries} if
     * these are spent sooner.
     *
     * @param permits from 1 to the semaphore's number
     * @param maxWait zero to 365 days; zero means one attempt
     * @return the lease, or empty if the permits were not granted in time
     * @throws SemaphoreLimitException if the semaphore has another number of permits than this client is configured for
     * @throws InterruptedException if this thread is interrupted
     */
    Optional<Lease> tryAcquire(int permits, Duration maxWait) throws InterruptedException;

    /**
     * Acquires one permit, as {@link #acquireAsync(int)} does.
     *
     * @return completes with the lease
     */
    CompletableFuture<Lease> acquireAsync();

    /**
     * Acquires permits as {@link #acquire(int)} does, without blocking a thread. Cancelling the future withdraws the request;
     * permits that were granted meanwhile are released.
     *
     * @param permits from 1 to the semaphore's number
     * @return completes with the lease
     */
    CompletableFuture<Lease> acquireAsync(int permits);

    /**
     * Acquires one permit as {@link #tryAcquire()} does, without blocking a thread.
     *
     * @return completes with the lease, or with empty if no permit is available
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync();

    /**
     * Acquires permits as {@link #tryAcquire(int)} does, without blocking a thread.
     *
     * @param permits from 1 to the semaphore's number
     * @return completes with the lease, or with empty if too few permits are available
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(int permits);

    /**
     * Acquires one permit as {@link #tryAcquire(Duration)} does, without blocking a thread.
     *
     * @param maxWait zero to 365 days; zero means one attempt
     * @return completes with the lease, or with empty if no permit was granted in time
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait);

    /**
     * Acquires permits as {@link #tryAcquire(int, Duration)} does, without blocking a thread.
     *
     * @param permits from 1 to the semaphore's number
     * @param maxWait zero to 365 days; zero means one attempt
     * @return completes with the lease, or with empty if the permits were not granted in time
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(int permits, Duration maxWait);

    /**
     * Acquires one permit as {@link #acquire()} does, runs the work, and releases the permit however the work ends.
     *
     * @param <X> the checked exception that the work may throw
     * @param work runs while the permit is held
     * @throws X if the work throws it
     * @throws LeaseLostException if the permit was lost before the work ended; if the work itself threw, this is attached
     *     to its exception as suppressed
     * @throws InterruptedException if this thread is interrupted while it waits
     */
    <X extends Exception> void run(CheckedRunnable<X> work) throws X, InterruptedException;

    /**
     * Runs the work as {@link #run(CheckedRunnable)} does, and passes it the lease.
     *
     * @param <X> the checked exception that the work may throw
     * @param work runs while the permit is held
     * @throws X if the work throws it
     * @throws LeaseLostException as {@link #run(CheckedRunnable)}
     * @throws InterruptedException if this thread is interrupted while it waits
     */
    <X extends Exception> void run(LeaseRunnable<X> work) throws X, InterruptedException;

    /**
     * Acquires one permit as {@link #acquire()} does, calls the work, releases the permit, and returns the work's result.
     *
     * @param <T> the result
     * @param <X> the checked exception that the work may throw
     * @param work runs while the permit is held
     * @return what the work returns
     * @throws X if the work throws it
     * @throws LeaseLostException as {@link #run(CheckedRunnable)}
     * @throws InterruptedException if this thread is interrupted while it waits
     */
    <T extends @Nullable Object, X extends Exception> T call(CheckedCallable<T, X> work) throws X, InterruptedException;

    /**
     * Calls the work as {@link #call(CheckedCallable)} does, and passes it the lease.
     *
     * @param <T> the result
     * @param <X> the checked exception that the work may throw
     * @param work runs while the permit is held
     * @return what the work returns
     * @throws X if the work throws it
     * @throws LeaseLostException as {@link #run(CheckedRunnable)}
     * @throws InterruptedException if this thread is interrupted while it waits
     */
    <T extends @Nullable Object, X extends Exception> T call(LeaseCallable<T, X> work) throws X, InterruptedException;

    /**
     * Asks the server how many permits are available now.
     *
     * @return the number; the options' number if the semaphore is not in use, and zero while more permits are held than there
     *     are, which follows on a {@link #resize} to less
     */
    int availablePermits();

    /**
     * Asks the server whether the given token holds permits now.
     *
     * @param token the token of a hold
     * @return whether it holds permits
     */
    boolean isHeld(String token);

    /**
     * Releases the permits that the given token holds, regardless of which process acquired them. A token that holds nothing,
     * or no longer, adds no permit.
     *
     * @param token the token of the hold to release
     * @return whether it held permits
     */
    boolean release(String token);

    /**
     * Takes over a hold by its token, as {@link DistributedLock#adopt} does.
     *
     * @param token the token of the hold to take over
     * @return a lease of the same hold
     * @throws LeaseLostException if the token holds no permit
     */
    Lease adopt(String token);

    /**
     * Changes, at the server and for all clients, how many permits there are. If there are more, waiters are served at once. If
     * there are fewer, no holder loses a permit, but none is granted before enough have come back. Clients that are configured
     * for the old number go on; requests that wait for more permits than there are now fail with
     * {@link SemaphoreLimitException}.
     *
     * @param permits 1 to 1,000,000,000
     * @return how many there were; the given number if the semaphore was not in use
     */
    int resize(int permits);
}
