package io.keyhold.reactor;

import static io.keyhold.junit.KeyholdAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.keyhold.junit.KeyholdTest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** What happens to the lock when a sequence completes, fails, is cancelled, or loses its lease. */
@KeyholdTest
class ReactiveLockTest {

    private static final String KEY = "invoice:42";
    private static final Duration LIMIT = Duration.ofSeconds(50);
    private static final LockOptions SHORT =
            LockOptions.builder().lease(Duration.ofSeconds(2)).renew(true).build();

    @Test
    void monoIsReleasedBeforeItsValue(Keyhold keyhold) {
        Mono<Long> work = ReactiveLock.of(keyhold.lock(KEY))
                .mono(lease -> Mono.fromSupplier(() -> {
                    assertThat(lease.isHeld()).isTrue();
                    return lease.fencingToken();
                }));
        StepVerifier.create(work.map(token -> keyhold.lock(KEY).isLocked()))
                .expectNext(false)
                .expectComplete()
                .verify(LIMIT);
    }

    @Test
    void everySubscriptionAcquires(Keyhold keyhold) {
        Mono<Long> work = ReactiveLock.of(keyhold.lock(KEY)).mono(lease -> Mono.just(lease.fencingToken()));
        Long first = work.block(LIMIT);
        Long second = work.block(LIMIT);
        assertThat(second).isGreaterThan(first);
    }

    @Test
    void emptyMonoCompletes(Keyhold keyhold) {
        StepVerifier.create(ReactiveLock.of(keyhold.lock(KEY)).mono(lease -> Mono.empty()))
                .expectComplete()
                .verify(LIMIT);
        assertThat(keyhold).isFree(KEY);
    }

    @Test
    void fluxEmitsWhileHeldAndReleasesAtItsEnd(Keyhold keyhold) {
        TestPublisher<String> source = TestPublisher.create();
        StepVerifier.create(ReactiveLock.of(keyhold.lock(KEY)).flux(lease -> source), 1)
                .then(() -> awaitSubscription(source))
                .then(() -> source.next("one"))
                .expectNext("one")
                .then(() -> assertThat(keyhold).holds(KEY))
                .thenRequest(1)
                .then(() -> source.next("two"))
                .expectNext("two")
                .then(source::complete)
                .expectComplete()
                .verify(LIMIT);
        assertThat(keyhold.lock(KEY).isLocked()).isFalse();
    }

    @Test
    void endNeedsNoDemand(Keyhold keyhold) {
        StepVerifier.create(ReactiveLock.of(keyhold.lock(KEY)).flux(lease -> Flux.empty()), 0)
                .expectComplete()
                .verify(LIMIT);
        StepVerifier.create(ReactiveLock.of(keyhold.lock(KEY)).flux(lease -> Flux.just("one")), 1)
                .expectNext("one")
                .expectComplete()
                .verify(LIMIT);
        StepVerifier.create(
                        ReactiveLock.of(keyhold.lock(KEY)).flux(lease -> Flux.error(new IllegalStateException("no"))),
                        0)
                .expectErrorMessage("no")
                .verify(LIMIT);
        assertThat(keyhold).isFree(KEY);
    }

    @Test
    void failureOfWorkReleases(Keyhold keyhold) {
        IllegalStateException failure = new IllegalStateException("card refused");
        StepVerifier.create(ReactiveLock.of(keyhold.lock(KEY)).mono(lease -> Mono.error(failure)))
                .expectErrorSatisfies(error -> {
                    assertThat(error).isSameAs(failure).hasNoSuppressedExceptions();
                    assertThat(keyhold.lock(KEY).isLocked()).isFalse();
                })
                .verify(LIMIT);
    }

    @Test
    void failureToMakeWorkReleases(Keyhold keyhold) {
        StepVerifier.create(ReactiveLock.of(keyhold.lock(KEY)).<String>mono(lease -> {
                    throw new IllegalStateException("no work");
                }))
                .expectErrorSatisfies(error -> {
                    assertThat(error).hasMessage("no work");
                    assertThat(keyhold.lock(KEY).isLocked()).isFalse();
                })
                .verify(LIMIT);
    }

    @Test
    void cancellationEndsWorkAndReleases(Keyhold keyhold) {
        TestPublisher<String> source = TestPublisher.create();
        Disposable subscription =
                ReactiveLock.of(keyhold.lock(KEY)).flux(lease -> source).subscribe();
        awaitSubscription(source);
        assertThat(keyhold).holds(KEY);
        subscription.dispose();
        source.assertCancelled();
        assertThat(keyhold).isFree(KEY);
    }

    @Test
    void cancellationWithdrawsWaitingRequest(Keyhold keyhold, Keyhold other) throws Exception {
        Lease held = other.lock(KEY).acquire();
        AtomicBoolean ran = new AtomicBoolean();
        Disposable subscription = ReactiveLock.of(keyhold.lock(KEY))
                .mono(lease -> Mono.fromRunnable(() -> ran.set(true)))
                .subscribe();
        assertThat(keyhold).waits(KEY);
        subscription.dispose();
        held.release();
        assertThat(keyhold).isFree(KEY);
        assertThat(ran).isFalse();
    }

    @Test
    void cancellationThatMeetsGrantLeavesNoLease(Keyhold keyhold, Keyhold other) throws Exception {
        for (int i = 0; i < 50; i++) {
            Lease held = other.lock(KEY).acquire();
            Disposable subscription = ReactiveLock.of(keyhold.lock(KEY))
                    .mono(lease -> Mono.never())
                    .subscribe();
            CyclicBarrier together = new CyclicBarrier(2);
            Thread canceller = new Thread(() -> {
                meet(together);
                subscription.dispose();
            });
            canceller.start();
            meet(together);
            held.release();
            canceller.join();
            assertThat(other).isFree(KEY);
        }
    }

    @Test
    void lossCancelsWorkAndFailsSequence(Keyhold keyhold) {
        TestPublisher<String> source = TestPublisher.create();
        StepVerifier.create(ReactiveLock.of(keyhold.lock(KEY, SHORT)).flux(lease -> source))
                .then(() -> awaitSubscription(source))
                .then(() -> keyhold.inspect().forceRelease(KEY))
                .expectError(LeaseLostException.class)
                .verify(LIMIT);
        source.assertCancelled();
    }

    @Test
    void lossFoundByReleaseFailsSequence(Keyhold keyhold) {
        Mono<String> work = ReactiveLock.of(keyhold.lock(KEY))
                .mono(lease -> Mono.fromSupplier(() -> {
                    keyhold.inspect().forceRelease(KEY);
                    return "charged";
                }));
        StepVerifier.create(work).expectError(LeaseLostException.class).verify(LIMIT);
    }

    @Test
    void lossIsSuppressedByFailureOfWork(Keyhold keyhold) {
        Mono<String> work = ReactiveLock.of(keyhold.lock(KEY))
                .mono(lease -> Mono.fromSupplier(() -> {
                    keyhold.inspect().forceRelease(KEY);
                    throw new IllegalStateException("card refused");
                }));
        StepVerifier.create(work)
                .expectErrorSatisfies(error -> assertThat(error)
                        .hasMessage("card refused")
                        .satisfies(failure -> assertThat(failure.getSuppressed())
                                .singleElement()
                                .isInstanceOf(LeaseLostException.class)))
                .verify(LIMIT);
    }

    @Test
    void workMayReleaseItself(Keyhold keyhold) {
        Mono<Boolean> work = ReactiveLock.of(keyhold.lock(KEY)).mono(lease -> Mono.fromFuture(lease.releaseAsync()));
        StepVerifier.create(work).expectNext(true).expectComplete().verify(LIMIT);
    }

    @Test
    void requestThatTimesOutFailsSequence(Keyhold keyhold, Keyhold other) throws Exception {
        Lease held = other.lock(KEY).acquire();
        LockOptions impatient =
                LockOptions.builder().maxWait(Duration.ofMillis(50)).build();
        StepVerifier.create(ReactiveLock.of(keyhold.lock(KEY, impatient)).mono(lease -> Mono.just("charged")))
                .expectError(AcquireTimeoutException.class)
                .verify(LIMIT);
        assertThat(held.release()).isTrue();
    }

    @Test
    void permitsAndSidesAreHeld(Keyhold keyhold) {
        AtomicReference<Integer> left = new AtomicReference<>();
        ReactiveLock.of(keyhold.semaphore("gpu", 4), 3)
                .mono(lease -> Mono.fromRunnable(
                        () -> left.set(keyhold.semaphore("gpu", 4).availablePermits())))
                .block(LIMIT);
        assertThat(left).hasValue(1);

        CountDownLatch readers = new CountDownLatch(2);
        Sinks.Empty<Void> end = Sinks.empty();
        Flux<Void> read = ReactiveLock.of(keyhold.readWriteLock("catalog").readLock())
                .flux(lease -> end.asMono().doOnSubscribe(any -> readers.countDown()));
        StepVerifier.create(Flux.merge(read, read))
                .then(() -> await(readers))
                .then(end::tryEmitEmpty)
                .expectComplete()
                .verify(LIMIT);
        assertThat(keyhold).isFree("catalog");
    }

    @Test
    void badNumberOfPermitsFailsSequence(Keyhold keyhold) {
        StepVerifier.create(ReactiveLock.of(keyhold.semaphore("gpu", 4), 0).mono(lease -> Mono.empty()))
                .expectError(IllegalArgumentException.class)
                .verify(LIMIT);
    }

    private static void awaitSubscription(TestPublisher<?> source) {
        long start = System.nanoTime();
        while (source.subscribeCount() == 0) {
            assertThat(System.nanoTime() - start).isLessThan(LIMIT.toNanos());
            Thread.onSpinWait();
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(1, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
