package io.keyhold.console;

import static io.keyhold.console.Fixture.each;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As many locks as an installation may have, and more than the console shows. */
@Tag("full")
final class ManyLocksTest {

    private static final int PART = 1_000;

    private final Fixture console = new Fixture(false);

    @AfterEach
    void close() {
        console.close();
    }

    /** Writes locks as docs/keys.md describes them, which is quicker than to acquire them. */
    private void write(int from, int to) {
        try (RedisDriver driver =
                JedisDriver.open(RedisUri.parse(Fixture.patient(console.redis().uri())))) {
            for (int part = from; part < to; part += PART) {
                List<RedisCall> calls = IntStream.range(part, Math.min(part + PART, to))
                        .mapToObj(ManyLocksTest::lock)
                        .toList();
                driver.withSession(CallMode.BLOCKING, session -> session.pipeline(calls))
                        .toCompletableFuture()
                        .join();
            }
        }
    }

    private static RedisCall lock(int number) {
        String token = "client@host:1:" + "0".repeat(32) + "." + number;
        String value = token + " " + (1_000_000 + number) + " " + 1_000 * (System.currentTimeMillis() - number);
        String key = String.format(Locale.ROOT, "area-%d:item:%05d", number % 7, number);
        return RedisCall.of("SET", key, value, "PX", "3600000");
    }

    @Test
    void manyLocksComeInPagesAndTooManyAreSaid() {
        write(0, 10_000);
        JsonObject seen = Until.matches(
                () -> console.get("api/locks", "sort", "age", "limit", "3"),
                all -> all.get("total").getAsInt() == 10_000);
        assertThat(each(seen, "rows", "key"))
                .containsExactly("area-3:item:09999", "area-2:item:09998", "area-1:item:09997");
        assertThat(seen.getAsJsonArray("groups")).hasSize(7);
        assertThat(seen.get("complete").getAsBoolean()).isTrue();
        System.out.println("10,000 locks: sample " + seen.get("scanMillis") + " ms");
        long began = System.nanoTime();
        console.get("api/locks", "limit", "100");
        System.out.println("10,000 locks: request " + (System.nanoTime() - began) / 1_000_000 + " ms");

        write(10_000, Sampler.MOST_LOCKS + 2 * PART);
        JsonObject limited = Until.matches(
                () -> console.get("api/locks", "limit", "0"),
                all -> all.get("limitReached").getAsBoolean());
        assertThat(limited.get("total").getAsInt()).isGreaterThanOrEqualTo(Sampler.MOST_LOCKS);
        assertThat(console.api().history().sizes().get("keys")).isLessThanOrEqualTo(History.MOST_KEYS);
        assertThat(console.api().history().sizes().get("bytes")).isLessThanOrEqualTo(History.MOST_BYTES);
    }
}
