package io.keyhold.spring;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.HoldOptions;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;

/** Acquires what calls need, by their specification. */
final class Acquirer {

    private final BeanFactory beans;
    private final ObjectProvider<Keyhold> onlyClient;
    private final BeanFactoryResolver beanResolver;
    private final SpecReader specs;
    private final Consumer<LeaseLostEvent> losses;

    Acquirer(BeanFactory beans, SpecReader specs, Consumer<LeaseLostEvent> losses) {
        this.beans = beans;
        this.onlyClient = beans.getBeanProvider(Keyhold.class);
        this.beanResolver = new BeanFactoryResolver(beans);
        this.specs = specs;
        this.losses = losses;
    }

    /**
     * What one call needs.
     *
     * @param client where the keys are
     * @param keys at least one
     */
    record Need(HoldSpec spec, Keyhold client, List<String> keys) {}

    /** Evaluates the expressions of a call. Empty if its condition is false. */
    Optional<Need> need(HoldSpec spec, MethodInvocation invocation) {
        Object target = invocation.getThis();
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(
                target != null ? target : invocation, spec.method(), invocation.getArguments(), specs.names());
        context.setBeanResolver(beanResolver);
        if (spec.condition() != null && !spec.condition().isTrue(context)) {
            return Optional.empty();
        }
        return Optional.of(new Need(spec, client(spec), spec.keys(context)));
    }

    private Keyhold client(HoldSpec spec) {
        return spec.client().isEmpty() ? onlyClient.getObject() : beans.getBean(spec.client(), Keyhold.class);
    }

    /** Acquires, or goes on under holds of this thread. Empty if it was not granted in time. */
    List<Hold> acquire(Need need) throws InterruptedException {
        List<Hold> joined = Hold.join(need, ThreadHolds.newestFirst());
        return joined.isEmpty()
                ? lease(need).map(lease -> hold(need, lease)).stream().toList()
                : joined;
    }

    private static Optional<Lease> lease(Need need) throws InterruptedException {
        HoldSpec spec = need.spec();
        boolean throwing = spec.onBusy() == OnBusy.THROW;
        if (spec.kind() == HoldSpec.Kind.PERMITS) {
            DistributedSemaphore semaphore = semaphore(need);
            return throwing
                    ? Optional.of(semaphore.acquire(spec.take()))
                    : semaphore.tryAcquire(spec.take(), maxWait(semaphore.options()));
        }
        DistributedLock lock = lock(need);
        return throwing ? Optional.of(lock.acquire()) : lock.tryAcquire(maxWait(lock.options()));
    }

    /** Acquires without blocking. Completes with a {@link Lease}, or with an {@link Optional} of one. Cancelling withdraws the request. */
    CompletableFuture<?> leaseAsync(Need need) {
        HoldSpec spec = need.spec();
        boolean throwing = spec.onBusy() == OnBusy.THROW;
        if (spec.kind() == HoldSpec.Kind.PERMITS) {
            DistributedSemaphore semaphore = semaphore(need);
            return throwing
                    ? semaphore.acquireAsync(spec.take())
                    : semaphore.tryAcquireAsync(spec.take(), maxWait(semaphore.options()));
        }
        DistributedLock lock = lock(need);
        return throwing ? lock.acquireAsync() : lock.tryAcquireAsync(maxWait(lock.options()));
    }

    /** As the annotation says, unless the client overrides it for this name. */
    private static Duration maxWait(HoldOptions options) {
        return options.maxWait().orElse(Duration.ZERO);
    }

    private static DistributedSemaphore semaphore(Need need) {
        return need.client()
                .semaphore(need.keys().get(0), need.spec().permits())
                .with(options -> need.spec().apply(options));
    }

    private static DistributedLock lock(Need need) {
        String key = need.keys().get(0);
        DistributedLock lock = switch (need.spec().kind()) {
            case READ -> need.client().readWriteLock(key).readLock();
            case WRITE -> need.client().readWriteLock(key).writeLock();
            default ->
                need.keys().size() == 1
                        ? need.client().lock(key)
                        : need.client().allOf(need.keys());
        };
        return lock.with(options -> need.spec().apply(options));
    }

    /** Makes a hold of a lease, whose loss is published. */
    Hold hold(Need need, Lease lease) {
        HoldSpec spec = need.spec();
        lease.lost().thenAccept(loss -> losses.accept(new LeaseLostEvent(loss, spec.name(), spec.method())));
        return new Hold(need.client(), spec, need.keys(), lease);
    }

    /** What a call returns whose lock is not granted in time. */
    static @Nullable Object busy(HoldSpec spec, MethodInvocation invocation) throws Throwable {
        if (spec.fallback() == null) {
            return spec.skipped();
        }
        return AopUtils.invokeJoinpointUsingReflection(
                invocation.getThis(), spec.fallback(), invocation.getArguments());
    }
}
