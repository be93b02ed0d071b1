package io.keyhold.reactor;

import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One subscription. The future of the request arbitrates between a grant and a cancellation: whichever of them comes first, {@link #end()} finds either a
 * request to cancel or a lease to release, so that none is left behind.
 */
final class LockedSequence<T> {

    private final CompletableFuture<Lease> request;
    private final Function<? super Lease, ? extends Publisher<? extends T>> work;

    LockedSequence(CompletableFuture<Lease> request, Function<? super Lease, ? extends Publisher<? extends T>> work) {
        this.request = request;
        this.work = work;
    }

    Flux<T> flux() {
        // The request is cancelled by end(), and not by Reactor, which would drop a lease that comes at the same time.
        return Mono.fromFuture(request, true).flatMapMany(this::held).doFinally(signal -> end());
    }

    private Flux<T> held(Lease lease) {
        return underLease(lease).concatWith(released(lease)).onErrorResume(failure -> failed(lease, failure));
    }

    private Mono<T> failed(Lease lease, Throwable failure) {
        return released(lease).onErrorMap(loss -> withSuppressed(failure, loss)).switchIfEmpty(Mono.error(failure));
    }

    /** A loss cancels the work and ends this sequence; {@link #released} then reports it. An error would not cancel the work. */
    private Flux<T> underLease(Lease lease) {
        // Deferred, so that what it throws is a failure of the work, after which the lock is released first.
        return Flux.defer(() -> Flux.<T>from(work.apply(lease)))
                .takeUntilOther(Mono.fromFuture(lease.lost().toCompletableFuture(), true));
    }

    /** Releases, and fails if the lease was lost. */
    private Mono<T> released(Lease lease) {
        return Mono.defer(() -> Mono.fromFuture(lease.releaseAsync(), true))
                .onErrorReturn(false)
                .flatMap(released -> lossOf(lease).<Mono<T>>map(Mono::error).orElseGet(Mono::empty))
                // It has demand of its own: a subscriber that has had all it asked for must not hold up the release.
                .ignoreElement();
    }

    private static Optional<LeaseLostException> lossOf(Lease lease) {
        try {
            // After the release this calls no server.
            lease.close();
        } catch (LeaseLostException e) {
            return Optional.of(e);
        }
        // The work may have closed it itself, which throws only once.
        return Optional.ofNullable(lease.lost().toCompletableFuture().getNow(null))
                .map(loss -> new LeaseLostException(loss.detail(), loss));
    }

    private static Throwable withSuppressed(Throwable failure, Throwable loss) {
        if (!(failure instanceof LeaseLostException)) {
            failure.addSuppressed(loss);
        }
        return failure;
    }

    private void end() {
        if (!request.cancel(true)) {
            request.whenComplete((lease, failure) -> {
                if (lease != null) {
                    lease.releaseAsync();
                }
            });
        }
    }
}
