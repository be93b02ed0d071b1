/** Keyhold in tests. */
@NullMarked
package io.keyhold.spring.boot.test;

import org.jspecify.annotations.NullMarked;
