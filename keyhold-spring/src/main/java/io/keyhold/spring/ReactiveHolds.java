package io.keyhold.spring;

import io.keyhold.Lease;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.ContextView;

/** Methods that return a {@link Mono} or {@link Flux}: each subscription acquires, calls the method, and releases. Never blocks. */
final class ReactiveHolds {

    /** Where the context of a subscription has its holds, so that calls inside go on under them. */
    private static final Object CONTEXT_KEY = ReactiveHolds.class;

    private final HoldSpec spec;
    private final ProxyMethodInvocation invocation;
    private final Acquirer acquirer;

    private ReactiveHolds(HoldSpec spec, ProxyMethodInvocation invocation, Acquirer acquirer) {
        this.spec = spec;
        this.invocation = invocation;
        this.acquirer = acquirer;
    }

    /** A {@link Mono} or {@link Flux}, as the method returns. */
    static Object publisher(HoldSpec spec, ProxyMethodInvocation invocation, Acquirer acquirer) {
        Flux<Object> elements = Flux.deferContextual(new ReactiveHolds(spec, invocation, acquirer)::subscription);
        return spec.method().getReturnType() == Flux.class ? elements : elements.singleOrEmpty();
    }

    private Publisher<Object> subscription(ContextView context) {
        // Each subscription calls the method, and needs an invocation that starts at the advice behind this one.
        MethodInvocation call = invocation.invocableClone();
        Optional<Acquirer.Need> needed = acquirer.need(spec, call);
        if (needed.isEmpty()) {
            return elements(call::proceed);
        }
        Acquirer.Need need = needed.get();
        List<Hold> outer = context.<List<Hold>>getOrEmpty(CONTEXT_KEY).orElseGet(List::of);
        Optional<Hold> covering = outer.stream()
                .filter(hold -> hold.covers(need.client(), spec.kind(), need.keys()) && hold.retain())
                .findFirst();
        Mono<Grant> acquired = Mono.create(sink -> acquire(need, sink));
        Mono<Grant> grant = covering.isPresent()
                ? Mono.just(new Grant(covering))
                : ReactiveTransactions.covering(need)
                        .map(hold -> new Grant(Optional.of(hold)))
                        .switchIfEmpty(acquired);
        // A failure of the complete handler would be wrapped, so the work itself ends with the release, which reports a
        // loss.
        return Flux.usingWhen(
                grant,
                granted -> granted.take()
                        .map(hold -> Flux.from(held(hold, outer, call))
                                .concatWith(granted.drop().flatMap(Mono::error)))
                        .orElseGet(() -> Flux.from(elements(() -> Acquirer.busy(spec, call)))),
                Grant::drop,
                (granted, failure) -> granted.drop(),
                Grant::drop);
    }

    private void acquire(Acquirer.Need need, MonoSink<Grant> sink) {
        CompletableFuture<?> request = acquirer.leaseAsync(need);
        sink.onCancel(() -> request.cancel(true));
        request.whenComplete((granted, failure) -> {
            if (failure != null) {
                sink.error(failure);
                return;
            }
            Optional<?> lease = granted instanceof Optional<?> optional ? optional : Optional.of(granted);
            Grant grant = new Grant(lease.map(each -> acquirer.hold(need, (Lease) each)));
            sink.success(grant);
            // A cancelled sink has dropped it.
            grant.dropIfNotTaken();
        });
    }

    /** The elements of the method, cut off when the lease is lost. */
    private Publisher<Object> held(Hold hold, List<Hold> outer, MethodInvocation call) {
        // A value, because an error would not cancel the elements.
        Mono<Boolean> lost = Mono.create(sink -> hold.lease().lost().thenRun(() -> sink.success(true)));
        List<Hold> holds = Stream.concat(Stream.of(hold), outer.stream()).toList();
        Mono<Void> kept = spec.release() == ReleaseAfter.TRANSACTION
                ? ReactiveTransactions.keepUntilCompletion(hold)
                : Mono.empty();
        return kept.thenMany(Flux.defer(() -> elements(call::proceed)))
                .takeUntilOther(lost)
                .contextWrite(context -> context.put(CONTEXT_KEY, holds));
    }

    /** Work that returns a publisher, or throws. */
    private interface Work {
        @Nullable
        Object run() throws Throwable;
    }

    @SuppressWarnings("unchecked")
    private static Publisher<Object> elements(Work work) {
        try {
            Object elements = work.run();
            return elements != null ? (Publisher<Object>) elements : Flux.empty();
        } catch (Throwable e) {
            return Flux.error(e);
        }
    }

    /** What a subscription got: a hold, or none in time. */
    private static final class Grant {

        private final Optional<Hold> hold;
        private final AtomicBoolean taken = new AtomicBoolean();
        private final AtomicBoolean dropped = new AtomicBoolean();

        Grant(Optional<Hold> hold) {
            this.hold = hold;
        }

        Optional<Hold> take() {
            taken.set(true);
            return hold;
        }

        void dropIfNotTaken() {
            if (taken.compareAndSet(false, true)) {
                hold.ifPresent(Hold::dropAsync);
            }
        }

        /** Drops when it is subscribed to for the first time. Completes with the loss, if there was one. */
        Mono<Throwable> drop() {
            return Mono.defer(() -> hold.isPresent() && dropped.compareAndSet(false, true)
                    ? Mono.<Throwable>fromCompletionStage(hold.get().dropAsync())
                    : Mono.empty());
        }
    }
}
