/**
 * Keyhold in tests of an application: {@link io.keyhold.junit.KeyholdTest} injects clients, {@link io.keyhold.junit.KeyholdAssertions} checks what
 * they hold and wait for.
 */
@NullMarked
package io.keyhold.junit;

import org.jspecify.annotations.NullMarked;
