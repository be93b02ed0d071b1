package io.keyhold.reactor;

import static java.util.Objects.requireNonNull;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs a {@code Mono} or a {@code Flux} while a lock, a side of a read/write lock, or permits of a semaphore are held.
 *
 * <pre>{@code
 * Mono<Receipt> receipt = ReactiveLock.of(keyhold.lock("invoice:42"))
 *         .mono(lease -> payments.charge(42, lease.fencingToken()));
 * }</pre>
 *
 * <p>Every subscription acquires for itself, without blocking a thread. The release is over before the sequence completes or fails. A cancelled subscription
 * withdraws its request, or cancels the work and then releases. A lost lease cancels the work and fails the sequence with
 * {@link io.keyhold.LeaseLostException}; a server that cannot be reached for the release is no error, as for {@link Lease#close()}.
 *
 * <p>The work is subscribed to on the client's callback executor, unless the lease was there at once.
 */
public final class ReactiveLock {

    private final Supplier<CompletableFuture<Lease>> request;

    private ReactiveLock(Supplier<CompletableFuture<Lease>> request) {
        this.request = request;
    }

    /**
     * Uses this lock: a plain one, several, or a side of a read/write lock.
     *
     * @param lock the lock
     * @return the lock for Reactor
     */
    public static ReactiveLock of(DistributedLock lock) {
        requireNonNull(lock, "lock must not be null");
        return new ReactiveLock(lock::acquireAsync);
    }

    /**
     * Uses a permit of this semaphore.
     *
     * @param semaphore the semaphore
     * @return the permit for Reactor
     */
    public static ReactiveLock of(DistributedSemaphore semaphore) {
        return of(semaphore, 1);
    }

    /**
     * Uses permits of this semaphore.
     *
     * @param semaphore the semaphore
     * @param permits how many; a bad number is an error of the sequence
     * @return the permits for Reactor
     */
    public static ReactiveLock of(DistributedSemaphore semaphore, int permits) {
        requireNonNull(semaphore, "semaphore must not be null");
        return new ReactiveLock(() -> semaphore.acquireAsync(permits));
    }

    /**
     * Runs work with at most one value. Its value is emitted after the release.
     *
     * @param work what to do with the lease; called for each subscription
     * @param <T> the type of the value
     * @return the work under the lock; fails as {@link DistributedLock#acquire()} does if the lock cannot be had
     */
    public <T> Mono<T> mono(Function<? super Lease, ? extends Mono<? extends T>> work) {
        requireNonNull(work, "work must not be null");
        // Waits for the completion, which follows the release.
        return this.<T>flux(work).singleOrEmpty();
    }

    /**
     * Runs work with any number of values. They are emitted while the lock is held, as they come.
     *
     * @param work what to do with the lease; called for each subscription
     * @param <T> the type of the values
     * @return the work under the lock; fails as {@link DistributedLock#acquire()} does if the lock cannot be had
     */
    public <T> Flux<T> flux(Function<? super Lease, ? extends Publisher<? extends T>> work) {
        requireNonNull(work, "work must not be null");
        return Flux.defer(() -> new LockedSequence<T>(request.get(), work).flux());
    }
}
