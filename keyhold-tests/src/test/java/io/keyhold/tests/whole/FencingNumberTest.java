package io.keyhold.tests.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code number.lua} compares numbers as text where it can. It must come to the same result as arithmetic. */
class FencingNumberTest extends OneServer {

    private static final int STRIDE = 64;
    private static final long NOW = 1_790_000_000_000_000L;
    private static final String COUNTER = "{0}:kh:fence";

    private String script;

    @BeforeEach
    void readPart() throws IOException {
        String name = "/io/keyhold/internal/store/redis/number.lua";
        try (InputStream file = Objects.requireNonNull(FencingNumberTest.class.getResourceAsStream(name), name)) {
            String part = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            script = "local counter, at, stride = KEYS[1], ARGV[1], " + STRIDE + "\n" + part + "return number";
        }
    }

    private String numberAfter(String before, long at) {
        console.ask("SET", COUNTER, before);
        return console.text("EVAL", script, "1", COUNTER, Long.toString(at));
    }

    @Test
    void numberIsAStrideAheadOrTheClock() {
        Random random = new Random(64);
        for (int i = 0; i < 3_000; i++) {
            long at = NOW + random.nextInt(3_000_000);
            long distance = random.nextInt(i % 3 == 0 ? 200 : i % 3 == 1 ? 3_000 : 3_000_000);
            long before = at + (random.nextInt(4) == 0 ? distance : -distance);
            String number = Long.toString(Math.max(before + STRIDE, at));
            assertThat(numberAfter(Long.toString(before), at))
                    .as("%s after %s", at, before)
                    .isEqualTo(number);
            assertThat(console.text("GET", COUNTER)).isEqualTo(number);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1790000000000063, 1790000000000000", // The same millisecond
        "1789999999999999, 1790000000000063", // The last moment of the one before, a stride ago
        "1789999999999999, 1790000000000062",
        "999999999999999, 1790000000000000", // Fewer digits
        "17900000000000000, 1790000000000000", // More digits
    })
    void bordersAreExact(long before, long at) {
        assertThat(numberAfter(Long.toString(before), at)).isEqualTo(Long.toString(Math.max(before + STRIDE, at)));
    }

    @ParameterizedTest
    @CsvSource({"''", "abc", "'                '", "zzzzzzzzzzzzzzzz", "'12 foreign text'"})
    void anythingButANumberCountsAsNone(String foreign) {
        assertThat(numberAfter(foreign, NOW)).isEqualTo(Long.toString(NOW));
    }
}
