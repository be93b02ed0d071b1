package io.keyhold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method of a bean while a lock is held.
 *
 * <pre>{@code
 * @Locked(key = "order:#{#order.id}", maxWait = "${orders.max-wait:5s}")
 * @Transactional
 * public void ship(Order order) { … }
 *
 * @Locked({"account:#{#from}", "account:#{#to}"})              // both, or none
 * public void transfer(long from, long to, BigDecimal amount) { … }
 *
 * @Locked(key = "nightly-report", onBusy = OnBusy.SKIP, atLeast = "1m")
 * @Scheduled(cron = "0 0 3 * * *")
 * public void report() { … }
 * }</pre>
 *
 * <p>The lock is acquired before a transaction of the method begins, and released after it has ended; if the caller has a transaction already, after
 * that one ({@link #release}). A lease that is lost meanwhile rolls the transaction back, and the method throws
 * {@link io.keyhold.LeaseLostException}. {@code @Async} and {@code @Retryable} of Spring Framework 7 come before the lock: each attempt acquires it. All
 * other advice, such as that of Spring Security and Spring Retry, runs inside the lock.
 *
 * <p>A call inside the method for a key that its thread holds already, by {@code @Locked}, goes on under the same lock. A call on {@code this} does not
 * pass the proxy and acquires nothing: {@link Leases#require} checks that.
 *
 * <p>All texts may contain <code>${…}</code>, which is replaced when the bean is created. Keys and the condition may then contain
 * <code>#{…}</code>: expressions of each call with the parameters ({@code #id}), the bean ({@code #root}) and other beans ({@code @tenants.current()}).
 * Durations are written as {@code 500ms}, {@code 10s}, {@code 1m30s} or {@code PT10S}. Mistakes in them fail the creation of the bean.
 *
 * <p>A method that returns a {@code CompletionStage} acquires on the thread of the caller, and releases when the stage completes; a {@code Mono}, a
 * {@code Flux} and a suspending function of Kotlin do both for each subscription or call, without blocking.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Reflective(HoldReflectiveProcessor.class)
public @interface Locked {

    /** The same as {@link #key}. */
    @AliasFor("key")
    String[] value() default {};

    /**
     * The key, or several: all of them are acquired, or none. An expression that is the whole text may return a collection of keys. A key that occurs
     * twice counts once; an expression that returns null is refused.
     */
    @AliasFor("value")
    String[] key() default {};

    /** The name for metrics. Default: class and method, such as {@code Orders.ship}. */
    String name() default "";

    /** Which lock. Default: the plain one. */
    Mode mode() default Mode.EXCLUSIVE;

    /** How long to wait in all. Default: as the client's default options; with {@link OnBusy#SKIP} and {@link OnBusy#FALLBACK} one attempt. */
    String maxWait() default "";

    /** How long the lock is held at most; it is not renewed then. Default: as the client's default options, renewed unless these say otherwise. */
    String lease() default "";

    /**
     * For how long the key stays taken, from the grant on, even if the method ends sooner. For a call that goes on under a lock, from the call on.
     * Default: no longer than the method.
     */
    String atLeast() default "";

    /** What happens if the lock is not granted in time. Default: {@link io.keyhold.AcquireTimeoutException}. */
    OnBusy onBusy() default OnBusy.THROW;

    /** For {@link OnBusy#FALLBACK}: the name of a method of the same class, with the same parameters. It runs without the lock. */
    String fallback() default "";

    /** What happens if the lock is lost while the method runs. Default: {@link io.keyhold.LeaseLostException} at its end. */
    OnLoss onLoss() default OnLoss.THROW;

    /** When the lock is released. Default: after the transaction of the caller, if there is one. */
    ReleaseAfter release() default ReleaseAfter.TRANSACTION;

    /** Whether to lock at all: {@code #{#order.total > 100}} or <code>${orders.locked}</code>. Default: always. */
    String condition() default "";

    /** The name of the {@link io.keyhold.Keyhold} bean. Default: the only or primary one. */
    String client() default "";

    /** The kinds of locks. */
    enum Mode {
        /** {@link io.keyhold.Keyhold#lock}, or {@link io.keyhold.Keyhold#allOf} for several keys. */
        EXCLUSIVE,
        /** The read side of {@link io.keyhold.Keyhold#readWriteLock}: beside other readers, not beside {@link #WRITE}. One key only. */
        SHARED,
        /** The write side of {@link io.keyhold.Keyhold#readWriteLock}: the counterpart of {@link #SHARED}. One key only. */
        WRITE
    }
}
