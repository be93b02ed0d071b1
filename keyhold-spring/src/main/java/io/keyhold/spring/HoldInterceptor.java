package io.keyhold.spring;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;

/** Runs a method under its lock. */
final class HoldInterceptor implements MethodInterceptor {

    private final SpecReader specs;
    private final Acquirer acquirer;

    HoldInterceptor(BeanFactory beans, SpecReader specs, Consumer<LeaseLostEvent> losses) {
        this.specs = specs;
        this.acquirer = new Acquirer(beans, specs, losses);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target != null
                ? AopUtils.getTargetClass(target)
                : invocation.getMethod().getDeclaringClass();
        Optional<HoldSpec> found = specs.read(invocation.getMethod(), type);
        if (found.isEmpty()) {
            return invocation.proceed();
        }
        HoldSpec spec = found.get();
        if (spec.isReactive()) {
            return ReactiveHolds.publisher(spec, (ProxyMethodInvocation) invocation, acquirer);
        }
        Optional<Acquirer.Need> need = acquirer.need(spec, invocation);
        return need.isEmpty() ? invocation.proceed() : invoke(need.get(), invocation);
    }

    @SuppressWarnings("try")
    private @Nullable Object invoke(Acquirer.Need need, MethodInvocation invocation) throws Throwable {
        HoldSpec spec = need.spec();
        boolean inTransaction = spec.release() == ReleaseAfter.TRANSACTION && TransactionHolds.isActive();
        if (inTransaction && spec.returnsStage()) {
            throw new IllegalStateException(
                    spec.describe() + " was called in a transaction, but returns a stage that may complete after it;"
                            + " set release = METHOD to release the lock with the stage");
        }
        List<Hold> holds = acquire(need, invocation);
        if (holds.isEmpty()) {
            return Acquirer.busy(spec, invocation);
        }
        try (ThreadHolds.Scope running = ThreadHolds.enter(holds)) {
            holds.forEach(Hold::check); // A call inside may have come to a hold that is lost already.
            if (inTransaction) {
                holds.stream().filter(Hold::retain).forEach(TransactionHolds::keepUntilCompletion);
            }
            Object result = invocation.proceed();
            return result instanceof CompletionStage<?> stage && spec.returnsStage() ? dropAtEnd(stage, holds) : result;
        }
    }

    private List<Hold> acquire(Acquirer.Need need, MethodInvocation invocation) throws InterruptedException {
        try {
            return acquirer.acquire(need);
        } catch (InterruptedException e) {
            boolean declared = Arrays.stream(invocation.getMethod().getExceptionTypes())
                    .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
            if (declared) {
                throw e;
            }
            Thread.currentThread().interrupt();
            throw new IllegalStateException(
                    "interrupted while waiting for the lock of " + need.spec().describe() + " on " + need.keys(), e);
        }
    }

    /**
     * Keeps the holds for the stage. The result completes when they are dropped. Cancelling the result does not cancel the stage: a cancelled future is
     * complete at once, while its work may go on.
     */
    private static CompletableFuture<@Nullable Object> dropAtEnd(CompletionStage<?> stage, List<Hold> holds) {
        holds.forEach(Hold::retain);
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> Hold.dropAllAsync(holds).thenAccept(lost -> {
            if (failure == null && lost == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure == null ? lost : withSuppressed(failure, lost));
            }
        }));
        return result;
    }

    private static Throwable withSuppressed(Throwable failure, @Nullable Throwable lost) {
        if (lost != null) {
            failure.addSuppressed(lost);
        }
        return failure;
    }
}
