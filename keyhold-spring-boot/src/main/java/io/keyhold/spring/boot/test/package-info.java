/** Keyhold in tests of Spring Boot applications. */
@NullMarked
package io.keyhold.spring.boot.test;

import org.jspecify.annotations.NullMarked;
