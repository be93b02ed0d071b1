package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Methods that return a {@link Mono} or a {@link Flux}. */
@SuppressWarnings("try")
final class ReactiveTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Application application = Application.start(Work.class);
    private final Work work = application.get(Work.class);

    @AfterEach
    void stop() {
        application.close();
    }

    private Mono<Boolean> isLocked() {
        return Mono.fromSupplier(() -> application.isLocked("work"));
    }

    @Test
    void eachSubscriptionHoldsTheLock() {
        AtomicInteger calls = new AtomicInteger();
        Mono<Boolean> mono = work.mono(() -> {
            calls.incrementAndGet();
            return isLocked();
        });
        assertThat(calls).as("before a subscription").hasValue(0);
        assertThat(mono.block(LIMIT)).isTrue();
        assertThat(mono.block(LIMIT)).isTrue();
        assertThat(calls).hasValue(2);
        assertThat(application.requests()).hasSize(2);
        assertThat(application.isLocked("work")).isFalse();
    }

    @Test
    void fluxHoldsTheLockToItsEnd() {
        Flux<Boolean> flux = work.flux(() -> Flux.range(0, 3).concatMap(each -> isLocked()));
        assertThat(flux.collectList().block(LIMIT)).containsExactly(true, true, true);
        assertThat(application.isLocked("work")).isFalse();
    }

    @Test
    void errorsRelease() {
        assertThatThrownBy(() -> work.mono(() -> Mono.error(new IllegalStateException("own")))
                        .block(LIMIT))
                .hasMessage("own");
        assertThatThrownBy(() -> work.mono(() -> {
                            throw new IllegalStateException("call");
                        })
                        .block(LIMIT))
                .hasMessage("call");
        assertThat(application.isLocked("work")).isFalse();
    }

    @Test
    void cancelledSubscriptionReleases() throws InterruptedException {
        CountDownLatch subscribed = new CountDownLatch(1);
        Disposable running = work.mono(() -> Mono.<Boolean>never().doOnSubscribe(each -> subscribed.countDown()))
                .subscribe();
        assertThat(subscribed.await(1, TimeUnit.MINUTES)).isTrue();
        running.dispose();
        application.other().lock("work").tryAcquire(LIMIT).orElseThrow().release();
    }

    @Test
    void cancelledWaitWithdraws() throws InterruptedException {
        try (Lease held = application.other().lock("work").acquire()) {
            Disposable waiting = work.mono(this::isLocked).subscribe();
            waiting.dispose();
        }
        application.other().lock("work").tryAcquire(LIMIT).orElseThrow().release();
    }

    @Test
    void cancellationAtAnyMomentLeavesNothingHeld() throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            Disposable running = work.mono(() -> Mono.just(true)).subscribe();
            if (i % 2 == 0) {
                Thread.onSpinWait();
            }
            running.dispose();
        }
        application.other().lock("work").tryAcquire(LIMIT).orElseThrow().release();
    }

    @Test
    void busyThrowsSkipsOrFallsBack() throws InterruptedException {
        try (Lease held = application.other().lock("work").acquire()) {
            assertThatThrownBy(() -> work.impatient().block(LIMIT)).isInstanceOf(AcquireTimeoutException.class);
            assertThat(work.skipping().block(LIMIT)).isNull();
            assertThat(work.falling().collectList().block(LIMIT)).containsExactly("instead");
        }
        assertThat(work.skipping().block(LIMIT)).isEqualTo("ran");
        assertThat(work.falling().collectList().block(LIMIT)).containsExactly("ran");
    }

    @Test
    void lossCancelsTheWork() throws InterruptedException {
        CountDownLatch subscribed = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Sinks.One<Throwable> failure = Sinks.one();
        work.quickLease(() -> Mono.<Boolean>never()
                        .doOnSubscribe(each -> subscribed.countDown())
                        .doOnCancel(cancelled::countDown))
                .subscribe(each -> {}, failure::tryEmitValue);
        assertThat(subscribed.await(1, TimeUnit.MINUTES)).isTrue();
        application.other().inspect().forceRelease("work");
        assertThat(failure.asMono().block(LIMIT)).isInstanceOf(LeaseLostException.class);
        assertThat(cancelled.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void lossThatOnlyTheReleaseFindsFailsTheResult() {
        Mono<Boolean> mono = work.mono(
                () -> Mono.fromSupplier(() -> application.other().inspect().forceRelease("work")));
        assertThatThrownBy(() -> mono.block(LIMIT)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void callsInsideGoOnUnderTheSameLock() {
        Mono<Boolean> nested = work.mono(() -> work.mono(this::isLocked).filterWhen(each -> isLocked()));
        assertThat(nested.block(LIMIT)).isTrue();
        assertThat(application.requests()).hasSize(1);
        assertThat(application.isLocked("work")).isFalse();
    }

    @Test
    void conditionDecides() {
        assertThat(work.conditional(false, this::isLocked).block(LIMIT)).isFalse();
        assertThat(work.conditional(true, this::isLocked).block(LIMIT)).isTrue();
    }

    /** Methods under a lock. */
    static class Work {

        @Locked("work")
        Mono<Boolean> mono(Supplier<Mono<Boolean>> body) {
            return body.get();
        }

        @Locked(key = "work", lease = "300ms")
        Mono<Boolean> quickLease(Supplier<Mono<Boolean>> body) {
            return body.get();
        }

        @Locked("work")
        Flux<Boolean> flux(Supplier<Flux<Boolean>> body) {
            return body.get();
        }

        @Locked(key = "work", maxWait = "0s")
        Mono<String> impatient() {
            return Mono.just("ran");
        }

        @Locked(key = "work", onBusy = OnBusy.SKIP)
        Mono<String> skipping() {
            return Mono.just("ran");
        }

        @Locked(key = "work", onBusy = OnBusy.FALLBACK, fallback = "instead")
        Flux<String> falling() {
            return Flux.just("ran");
        }

        Flux<String> instead() {
            return Flux.just("instead");
        }

        @Locked(key = "work", condition = "#{#locked}")
        Mono<Boolean> conditional(boolean locked, Supplier<Mono<Boolean>> body) {
            return body.get();
        }
    }
}
