package io.keyhold;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A lock that at most one client holds at a time, as far as a lease on Redis can promise that ({@code
 * docs/guarantees.md}). Safe for use by many threads.
 *
 * <pre>{@code
 * DistributedLock lock = keyhold.lock("invoice:42");
 *
 * try (Lease lease = lock.acquire()) {                         // waits
 *     database.write(invoice, lease.fencingToken());           // the lock is held here
 * }
 *
 * Optional<Lease> now = lock.tryAcquire();                     // does not wait
 * Optional<Lease> soon = lock.tryAcquire(Duration.ofSeconds(2));
 *
 * lock.run(() -> post(invoice));                               // acquires, runs, releases
 * long total = lock.call(lease -> sum(lease.fencingToken()));  // the same with a result; the work may see its lease
 * }</pre>
 *
 * <p>All methods that talk to the server throw {@link StoreUnavailableException} when it cannot be reached or does not reply,
 * {@link StoreRefusedException} when it replies with an error, {@link WrongKindException} when the key is in use as something
 * else, and {@link KeyholdClosedException} when the client is closed. Those that wait for a lock throw
 * {@link InterruptedException} when the thread is interrupted, and leave nothing behind then; those that only ask the
 * server once ignore interrupts, and end within the driver's timeouts. The asynchronous twins fail with the
 * same exceptions.
 */
public interface DistributedLock {

    /**
     * Returns the key.
     *
     * @return the key, without the client's prefix
     */
    String key();

    /**
     * Returns the options of this lock.
     *
     * @return the options
     */
    LockOptions options();

    /**
     * Returns the same lock with some options changed, for one call or for many:
     * {@code lock.with(options -> options.lease(Duration.ofSeconds(5))).acquire()}.
     *
     * @param change sets what differs
     * @return another object for the same lock
     */
    DistributedLock with(UnaryOperator<LockOptions.Builder> change);

    /**
     * Acquires the lock, waiting while it is held. Waits indefinitely unless the options set {@code maxWait} or {@code retries}.
     *
     * @return the lease, which belongs to this thread
     * @throws AcquireTimeoutException if the lock was not granted within these limits
     * @throws AlreadyHeldException if this thread already holds the lock
     * @throws InterruptedException if this thread is interrupted
     */
    Lease acquire() throws InterruptedException;

    /**
     * Acquires the lock if it is free now: one attempt, no waiting.
     *
     * @return the lease, which belongs to this thread; empty if the lock is held, also if this thread holds it
     */
    Optional<Lease> tryAcquire();

    /**
     * Acquires the lock if it is granted within the given time, or within the options' {@code retries} if these are spent
     * sooner. Returns at most one command's time later than that.
     *
     * @param maxWait zero to 365 days; zero means one attempt
     * @return the lease, which belongs to this thread; empty if the lock was not granted in time
     * @throws AlreadyHeldException if this thread already holds the lock and would wait; an attempt that does not wait returns
     *     empty
     * @throws InterruptedException if this thread is interrupted
     */
    Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException;

    /**
     * Acquires the lock as {@link #acquire()} does, without blocking a thread. Cancelling the future withdraws the request; a
     * lock that was granted meanwhile is released.
     *
     * @return completes with the lease, which belongs to no thread
     */
    CompletableFuture<Lease> acquireAsync();

    /**
     * Acquires the lock as {@link #tryAcquire()} does, without blocking a thread.
     *
     * @return completes with the lease, which belongs to no thread; with empty if the lock is held
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync();

    /**
     * Acquires the lock as {@link #tryAcquire(Duration)} does, without blocking a thread.
     *
     * @param maxWait zero to 365 days; zero means one attempt
     * @return completes with the lease, which belongs to no thread; with empty if the lock was not granted in time
     */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait);

    /**
     * Acquires the lock as {@link #acquire()} does, runs the work, and releases the lock however the work ends.
     *
     * @param <X> the checked exception that the work may throw
     * @param work runs while the lock is held
     * @throws X if the work throws it
     * @throws LeaseLostException if the lock was lost before the work ended; if the work itself threw, this is
     *     attached to its exception as suppressed
     * @throws InterruptedException if this thread is interrupted while it waits
     */
    <X extends Exception> void run(CheckedRunnable<X> work) throws X, InterruptedException;

    /**
     * Runs the work as {@link #run(CheckedRunnable)} does, and passes it the lease, for the fencing token.
     *
     * @param <X> the checked exception that the work may throw
     * @param work runs while the lock is held
     * @throws X if the work throws it
     * @throws LeaseLostException as {@link #run(CheckedRunnable)}
     * @throws InterruptedException if this thread is interrupted while it waits
     */
    <X extends Exception> void run(LeaseRunnable<X> work) throws X, InterruptedException;

    /**
     * Acquires the lock as {@link #acquire()} does, calls the work, releases the lock, and returns the work's result.
     *
     * @param <T> the result
     * @param <X> the checked exception that the work may throw
     * @param work runs while the lock is held
     * @return what the work returns
     * @throws X if the work throws it
     * @throws LeaseLostException as {@link #run(CheckedRunnable)}
     * @throws InterruptedException if this thread is interrupted while it waits
     */
    <T extends @Nullable Object, X extends Exception> T call(CheckedCallable<T, X> work) throws X, InterruptedException;

    /**
     * Calls the work as {@link #call(CheckedCallable)} does, and passes it the lease, for the fencing token.
     *
     * @param <T> the result
     * @param <X> the checked exception that the work may throw
     * @param work runs while the lock is held
     * @return what the work returns
     * @throws X if the work throws it
     * @throws LeaseLostException as {@link #run(CheckedRunnable)}
     * @throws InterruptedException if this thread is interrupted while it waits
     */
    <T extends @Nullable Object, X extends Exception> T call(LeaseCallable<T, X> work) throws X, InterruptedException;

    /**
     * Asks the server whether the lock is held now, by a Keyhold client or any other.
     *
     * @return whether it is held
     */
    boolean isLocked();

    /**
     * Releases the lock if the given token holds it, regardless of which process acquired it.
     *
     * @param token the token of the hold to release
     * @return whether the token held the lock; if not, the lock is left as it is
     */
    boolean release(String token);

    /**
     * Takes over a hold by its token, for example from another process that called {@link Lease#handOff()}. The lease
     * starts again, with this lock's options. A first holder that did not hand it off still releases it when it is done.
     *
     * @param token the token of the hold to take over
     * @return a lease of the same hold, which belongs to this thread
     * @throws LeaseLostException if the token does not hold the lock
     * @throws AlreadyHeldException if this thread already holds the lock
     */
    Lease adopt(String token);

    /**
     * Returns a view of this lock that threads own: reentrant, and unlocked by the thread that locked it. Re-entry costs
     * no call to the server. All views of one key and one client share their owner. Conditions are not supported.
     *
     * <p>{@code tryLock} returns false if this thread holds the lock by a {@link Lease} that it acquired otherwise; methods that
     * wait throw {@link AlreadyHeldException} then. {@code unlock} of a lease that was lost meanwhile does not throw, because it
     * is called in a finally block; set {@link LockOptions.Builder#onLost} to be told. Re-entry after a loss throws
     * {@link LeaseLostException}.
     *
     * @return the view
     */
    Lock asLock();
}
