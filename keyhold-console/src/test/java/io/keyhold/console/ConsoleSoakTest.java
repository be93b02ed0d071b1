package io.keyhold.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ten minutes of {@link ConsoleSoak}. */
@Tag("nightly")
final class ConsoleSoakTest {

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void truthIsToldWithinTwoSeconds() throws IOException, InterruptedException {
        assertThat(ConsoleSoak.run(10)).isEmpty();
    }
}
