package io.keyhold.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
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
    private transient @Nullable Advisor keeper;
    /** The classes that were checked, and whether they have reactive methods under a lock. */
    private final transient Map<Class<?>, Boolean> checked = new ConcurrentHashMap<>();

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
        Pointcut annotated = new ComposablePointcut(new AnnotationMatchingPointcut(null, Locked.class, true))
                .union((Pointcut) new AnnotationMatchingPointcut(null, Limited.class, true));
        advisor = new DefaultPointcutAdvisor(
                annotated, new HoldInterceptor(factory, reader, event -> events.publishEvent(event)));
        keeper = new DefaultPointcutAdvisor(annotated, new TransactionKeeper(reader));
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        TransactionHolds.guard(bean);
        Object proxy = super.postProcessAfterInitialization(bean, name);
        Class<?> type = AopUtils.getTargetClass(bean);
        if (specs != null && AopUtils.isAopProxy(proxy) && isEligible(type)) {
            Boolean reactive = checked.get(type);
            if (reactive == null) {
                reactive = check(type, proxy, specs);
                checked.put(type, reactive);
            }
            if (reactive && TransactionHolds.PRESENT) {
                addKeeper(proxy);
            }
        }
        return proxy;
    }

    /** Adds it as the innermost advice, so that it runs inside the transaction. */
    private void addKeeper(Object proxy) {
        if (keeper != null && proxy instanceof Advised advised && !advised.isFrozen()) {
            advised.addAdvisor(keeper);
        }
    }

    /**
     * Fails the creation of a bean whose annotations cannot work, so that mistakes show when the application starts.
     *
     * @return whether reactive methods are annotated
     */
    private static boolean check(Class<?> type, Object proxy, SpecReader specs) {
        Map<Method, HoldSpec> annotated = MethodIntrospector.selectMethods(
                type, (Method method) -> specs.read(method, type).orElse(null));
        annotated.keySet().forEach(method -> ReturnTypes.checkReachable(method, proxy));
        return annotated.values().stream().anyMatch(HoldSpec::isReactive);
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
