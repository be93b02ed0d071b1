package io.keyhold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method of a bean while permits of a semaphore are held: at most so many at a time, over all processes.
 *
 * <pre>{@code
 * @Limited(key = "gpu:#{#model}", permits = "${gpu.permits:4}", maxWait = "30s")
 * public Image render(String model, Scene scene) { … }
 * }</pre>
 *
 * <p>Texts, expressions, waiting and return types are as with {@link Locked}. Permits are not reentrant, and come back when the method ends, whether or not
 * a transaction of the caller goes on.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Reflective(HoldReflectiveProcessor.class)
public @interface Limited {

    /** The same as {@link #key}. */
    @AliasFor("key")
    String value() default "";

    /** The key of the semaphore. */
    @AliasFor("value")
    String key() default "";

    /** How many permits there are: a number, or <code>${…}</code>. */
    String permits();

    /** How many permits a call takes. Default: 1. */
    int take() default 1;

    /** The name for metrics. Default: class and method, such as {@code Images.render}. */
    String name() default "";

    /** How long to wait in all. Default: as the client's default options; with {@link OnBusy#SKIP} and {@link OnBusy#FALLBACK} one attempt. */
    String maxWait() default "";

    /** How long the permits are held at most; they are not renewed then. Default: as the client's default options. */
    String lease() default "";

    /** For how long the permits stay taken, from the grant on, even if the method ends sooner: a limit of calls per time. Default: no longer than the method. */
    String atLeast() default "";

    /** What happens if the permits are not granted in time. Default: {@link io.keyhold.AcquireTimeoutException}. */
    OnBusy onBusy() default OnBusy.THROW;

    /** For {@link OnBusy#FALLBACK}: the name of a method of the same class, with the same parameters. It runs without the permits. */
    String fallback() default "";

    /** What happens if the permits are lost while the method runs. Default: {@link io.keyhold.LeaseLostException} at its end. */
    OnLoss onLoss() default OnLoss.THROW;

    /** Whether to limit at all. Default: always. */
    String condition() default "";

    /** The name of the {@link io.keyhold.Keyhold} bean. Default: the only or primary one. */
    String client() default "";
}
