/**
 * Keyhold in Spring Boot. The auto-configuration defines a {@link io.keyhold.Keyhold} bean by the properties {@code keyhold.*} or by the application's connection
 * factory of Redis, enables {@link io.keyhold.spring.Locked} and {@link io.keyhold.spring.Limited}, and adds health, metrics and the endpoint {@code locks}.
 */
@NullMarked
package io.keyhold.spring.boot;

import org.jspecify.annotations.NullMarked;
