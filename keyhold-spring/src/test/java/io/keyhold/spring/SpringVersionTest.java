package io.keyhold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.core.SpringVersion;

/** The build runs the tests on the Spring that it says. */
final class SpringVersionTest {

    @Test
    void springIsTheOneOfThisRun() {
        assertThat(SpringVersion.getVersion()).isEqualTo(System.getProperty("keyhold.spring.version"));
    }
}
