package io.keyhold.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Adds Keyhold to a test, with locks in memory: to a slice such as {@code @WebMvcTest}, which has no such auto-configuration of its own, or to a
 * {@code @SpringBootTest} instead of the servers that the application uses.
 *
 * <pre>{@code
 * @WebMvcTest(OrderController.class)
 * @AutoConfigureKeyhold
 * class OrderControllerTest { … }
 * }</pre>
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ImportAutoConfiguration
@PropertyMapping("keyhold")
public @interface AutoConfigureKeyhold {

    /** Whether locks live inside the JVM of the test. Default: true; with false, the properties of the application say where. */
    boolean inMemory() default true;
}
