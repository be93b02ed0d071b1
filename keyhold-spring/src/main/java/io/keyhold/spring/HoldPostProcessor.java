package io.keyhold.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;

/**
 * Puts annotated methods under their locks, and makes transaction managers ask for lost ones before a commit.
 *
 * <p>Each such processor puts its advice before what is there. Transactions are advised first, by the auto proxy creator; {@code @Retryable} has
 * {@code LOWEST_PRECEDENCE - 1} and {@code @Async} has {@code LOWEST_PRECEDENCE}. So with the order here they nest as @Async, @Retryable, @Locked,
 * {@code @Transactional}. Later than this an @Async method would be called under a lock that does not reach the other thread; earlier the lock would be
 * released before the commit.
 */
final class HoldPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements ApplicationEventPublisherAware {

    private static final long serialVersionUID = 1L;

    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 2;

    private transient @Nullable SpecReader specs;
    private final transient Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
    private transient ApplicationEventPublisher events = event -> {};

    HoldPostProcessor() {
        setBeforeExistingAdvisors(true);
        setOrder(ORDER);
    }

    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
        events = publisher;
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        super.setBeanFactory(factory);
        SpecReader reader = new SpecReader((ConfigurableBeanFactory) factory);
        specs = reader;
        advisor = new DefaultPointcutAdvisor(
                new ComposablePointcut(new AnnotationMatchingPointcut(null, Locked.class, true))
                        .union((Pointcut) new AnnotationMatchingPointcut(null, Limited.class, true)),
                new HoldInterceptor(factory, reader, event -> events.publishEvent(event)));
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        TransactionHolds.guard(bean);
        Object proxy = super.postProcessAfterInitialization(bean, name);
        Class<?> type = AopUtils.getTargetClass(bean);
        if (specs != null && AopUtils.isAopProxy(proxy) && isEligible(type) && checked.add(type)) {
            check(type, proxy, specs);
        }
        return proxy;
    }

    /** Fails the creation of a bean whose annotations cannot work, so that mistakes show when the application starts. */
    private static void check(Class<?> type, Object proxy, SpecReader specs) {
        Map<Method, HoldSpec> annotated = MethodIntrospector.selectMethods(
                type, (Method method) -> specs.read(method, type).orElse(null));
        annotated.keySet().forEach(method -> ReturnTypes.checkReachable(method, proxy));
    }

    /** A class proxy serves injection by class and by interface. A proxy that exists is kept as it is. */
    @Override
    protected ProxyFactory prepareProxyFactory(Object bean, String name) {
        ProxyFactory factory = super.prepareProxyFactory(bean, name);
        if (!Modifier.isFinal(bean.getClass().getModifiers())) {
            factory.setProxyTargetClass(true);
        }
        return factory;
    }
}
