package io.keyhold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Enables {@link Locked} and {@link Limited}, on a configuration class. The application defines a {@link io.keyhold.Keyhold} bean; it is asked for when the
 * first such method is called.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import(KeyholdConfiguration.class)
public @interface EnableKeyhold {}
