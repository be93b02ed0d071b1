package io.keyhold.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.spring.Leases;
import io.keyhold.spring.Locked;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** A slice has locks in memory, whatever the application uses. */
@SpringJUnitConfig(AutoConfigureKeyholdTest.Slice.class)
@TestPropertySource(properties = "keyhold.uri=redis://localhost:1")
@AutoConfigureKeyhold
class AutoConfigureKeyholdTest {

    @Autowired
    private Orders orders;

    @Autowired
    private Keyhold keyhold;

    @Test
    void methodsAreLocked() {
        assertThat(orders.ship(42)).isEqualTo("order:42");
        assertThat(keyhold.lock("order:42").isLocked()).isFalse();
    }

    /** What a slice has of the application. */
    @Configuration(proxyBeanMethods = false)
    @Import(Orders.class)
    static class Slice {}

    /** Methods under a lock. */
    static class Orders {

        @Locked("order:#{#id}")
        String ship(long id) {
            return Leases.current().orElseThrow().key();
        }
    }
}
