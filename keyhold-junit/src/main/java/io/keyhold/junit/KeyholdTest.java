package io.keyhold.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Injects into a test class, or into one test: {@link io.keyhold.Keyhold}, {@link io.keyhold.KeyholdBuilder} and {@link TestClock}. Parameters of tests, of
 * {@code @BeforeEach} and {@code @AfterEach} methods get them by their type, fields with {@link InjectKeyhold}.
 *
 * <pre>{@code
 * @KeyholdTest
 * class InvoiceTest {
 *     @Test
 *     void chargesOnce(Keyhold keyhold, Keyhold otherProcess) {
 *         Lease held = otherProcess.lock("invoice:42").tryAcquire().orElseThrow();
 *         assertThat(new Invoices(keyhold).charge(42)).isFalse();
 *     }
 * }
 * }</pre>
 *
 * <p>Every test has an empty place for locks. Every injected {@code Keyhold} is a client of its own there, as if it were another process; all of them are
 * closed after the test.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(KeyholdExtension.class)
public @interface KeyholdTest {

    /**
     * Returns where the locks of a test live. An annotation of a method takes precedence over one of its class.
     *
     * @return the place; in memory by default
     */
    LockPlace value() default LockPlace.MEMORY;
}
