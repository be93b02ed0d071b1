package io.keyhold.spring;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** The innermost advice, behind that of transactions: lets the own transaction of a reactive method keep its lock. */
final class TransactionKeeper implements MethodInterceptor {

    private final SpecReader specs;

    TransactionKeeper(SpecReader specs) {
        this.specs = specs;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object result = invocation.proceed();
        Object target = invocation.getThis();
        return result != null
                        && target != null
                        && specs.read(invocation.getMethod(), AopUtils.getTargetClass(target))
                                .filter(HoldSpec::isReactive)
                                .isPresent()
                ? ReactiveHolds.keptByOwnTransaction(result)
                : result;
    }
}
