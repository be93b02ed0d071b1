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

    /** Where the context has those of its holds that the method's own transaction keeps too. */
    private static final Object OWN_KEY = Grant.class;

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
        List<Hold> outer = holds(context, CONTEXT_KEY);
        boolean ownTransaction = spec.release() == ReleaseAfter.TRANSACTION || !ReactiveTransactions.isInside(context);
        Mono<Grant> grant = ReactiveTransactions.kept()
                .flatMap(kept -> Mono.create(sink -> acquire(need, concat(outer, kept), sink)));
        // A failure of the complete handler would be wrapped, so the work itself ends with the release, which reports a
        // loss.
        return Flux.usingWhen(
                grant,
                granted -> {
                    List<Hold> holds = granted.take();
                    return holds.isEmpty()
                            ? elements(() -> Acquirer.busy(spec, call))
                            : Flux.from(held(holds, outer, ownTransaction ? holds : List.of(), call))
                                    .concatWith(granted.drop().flatMap(Mono::error));
                },
                Grant::drop,
                (granted, failure) -> granted.drop(),
                Grant::drop);
    }

    private static List<Hold> holds(ContextView context, Object key) {
        return context.<List<Hold>>getOrEmpty(key).orElseGet(List::of);
    }

    private static List<Hold> concat(List<Hold> some, List<Hold> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private void acquire(Acquirer.Need need, List<Hold> candidates, MonoSink<Grant> sink) {
        List<Hold> joined = Hold.join(need, candidates);
        if (!joined.isEmpty()) {
            new Grant(joined).offer(sink);
            return;
        }
        CompletableFuture<?> request = acquirer.leaseAsync(need);
        sink.onCancel(() -> request.cancel(true));
        request.whenComplete((granted, failure) -> {
            if (failure != null) {
                sink.error(failure);
                return;
            }
            Optional<?> lease = granted instanceof Optional<?> optional ? optional : Optional.of(granted);
            new Grant(lease.map(each -> acquirer.hold(need, (Lease) each)).stream()
                            .toList())
                    .offer(sink);
        });
    }

    /** The elements of the method, cut off when the lease is lost. */
    private Publisher<Object> held(List<Hold> holds, List<Hold> outer, List<Hold> own, MethodInvocation call) {
        // A value, because an error would not cancel the elements.
        Mono<Boolean> lost =
                Mono.create(sink -> holds.forEach(hold -> hold.lease().lost().thenRun(() -> sink.success(true))));
        Mono<Void> kept = spec.release() == ReleaseAfter.TRANSACTION
                ? ReactiveTransactions.keepUntilCompletion(holds)
                : Mono.empty();
        return kept.thenMany(Flux.defer(() -> elements(call::proceed)))
                .takeUntilOther(lost)
                .contextWrite(context ->
                        context.put(CONTEXT_KEY, concat(holds, outer)).put(OWN_KEY, own));
    }

    /**
     * The publisher of the method itself, in the transaction that the method's advice began inside the lock, which then keeps the lock until it has
     * completed. A subscriber that cancels does not wait for a commit or a rollback in flight, and the grant is dropped before that ends.
     */
    static Object keptByOwnTransaction(Object publisher) {
        Flux<Object> kept =
                Flux.deferContextual(context -> ReactiveTransactions.keepUntilCompletion(holds(context, OWN_KEY))
                        .thenMany(elements(() -> publisher)));
        return publisher instanceof Mono ? kept.singleOrEmpty() : kept;
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

    /** What a subscription got: holds, or none in time. */
    private static final class Grant {

        private final List<Hold> holds;
        private final AtomicBoolean taken = new AtomicBoolean();
        private final AtomicBoolean dropped = new AtomicBoolean();

        Grant(List<Hold> holds) {
            this.holds = holds;
        }

        List<Hold> take() {
            taken.set(true);
            return holds;
        }

        /** Drops if the sink, which was cancelled, did not pass it on. */
        void offer(MonoSink<Grant> sink) {
            sink.success(this);
            if (taken.compareAndSet(false, true)) {
                holds.forEach(Hold::dropAsync);
            }
        }

        /** Drops when it is subscribed to for the first time. Completes with the loss, if there was one. */
        Mono<Throwable> drop() {
            return Mono.defer(() -> dropped.compareAndSet(false, true)
                    ? Mono.<Throwable>fromCompletionStage(Hold.dropAllAsync(holds))
                    : Mono.empty());
        }
    }
}
