package io.keyhold.console;

import static io.keyhold.console.Fixture.each;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that write events, and the console that reads them. */
final class EventStreamTest {

    private final Fixture console = new Fixture(false);

    @AfterEach
    void close() {
        console.close();
    }

    private RedisDriver driver() {
        return JedisDriver.open(RedisUri.parse(Fixture.patient(console.redis().uri())));
    }

    private static Object call(RedisDriver driver, String command, String... arguments) {
        Object reply = driver.call(RedisCall.of(command, arguments), CallMode.BLOCKING)
                .toCompletableFuture()
                .join();
        return reply == null ? "nil" : reply;
    }

    private Keyhold client(EventStreamListener events) {
        return Keyhold.builder()
                .uri(Fixture.patient(console.redis().uri()))
                .clientName("fast")
                .listener(events)
                .build();
    }

    private JsonObject await(String key, Predicate<JsonObject> right) {
        return Until.matches(
                () -> {
                    console.get("api/locks");
                    return console.get("api/lock", "key", key);
                },
                right);
    }

    @Test
    void everyShortHoldIsInTheHistory() throws InterruptedException {
        try (EventStreamListener events = EventStreamListener.to(driver());
                Keyhold client = client(events)) {
            for (int i = 0; i < 30; i++) {
                client.lock("quick").run(() -> {});
            }
            JsonObject seen =
                    await("quick", lock -> lock.getAsJsonArray("timeline").size() == 30);
            assertThat(each(seen, "timeline", "source")).containsOnly("event");
            assertThat(each(seen, "timeline", "end")).containsOnly("released");
            assertThat(each(seen, "timeline", "clientName")).containsOnly("fast");
            assertThat(console.get("api/info").get("history").getAsString()).isEqualTo("events");
            JsonObject contention = console.get("api/contention");
            assertThat(contention.get("source").getAsString()).isEqualTo("events");
            assertThat(contention.getAsJsonObject("hold").get("count").getAsInt())
                    .isEqualTo(30);
            assertThat(events.dropped()).isZero();
            // Counted when the reply arrives: the entry is in the stream before.
            Until.matches(events::written, count -> count == 30);
        }
    }

    @Test
    void lossIsReported() throws InterruptedException {
        try (EventStreamListener events = EventStreamListener.to(driver());
                Keyhold client = client(events)) {
            Lease lease = client.lock("lost").acquire();
            client.inspect().forceRelease("lost");
            assertThat(lease.release()).isFalse();
            await("lost", lock -> each(lock, "timeline", "end").equals(List.of("lost")));
        }
    }

    @Test
    void streamIsShortAndExpires() throws InterruptedException {
        try (RedisDriver driver = driver();
                EventStreamListener events = EventStreamListener.to(driver());
                Keyhold client = client(events)) {
            for (int i = 0; i < 500; i++) {
                client.lock("k" + i).run(() -> {});
            }
            Until.matches(events::written, count -> count == 500);
            assertThat((Long) call(driver, "XLEN", EventStreamListener.DEFAULT_KEY))
                    .isLessThan(500);
            assertThat((Long) call(driver, "TTL", EventStreamListener.DEFAULT_KEY))
                    .isBetween(1L, 86_400L);
        }
    }

    @Test
    void eventsThatCannotBeWrittenAreDroppedAndCounted() throws InterruptedException {
        try (RedisDriver driver = driver();
                EventStreamListener events = EventStreamListener.to(driver(), "not-a-stream");
                Keyhold client = client(events)) {
            call(driver, "SET", "not-a-stream", "x");
            client.lock("a").run(() -> {});
            Until.matches(events::dropped, count -> count == 1);
            assertThat(events.written()).isZero();
        }
    }

    @Test
    void otherEntriesAreIgnored() {
        long future = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        try (RedisDriver driver = driver()) {
            for (String text : List.of(
                    "x",
                    "{}",
                    "{\"k\":1}",
                    new HoldEvent("a", "t", 1, 2, 3, 4, "e".repeat(30)).text(),
                    new HoldEvent("a", "t", 1, -600_000, 3, 4, "released").text(),
                    new HoldEvent("a", "t", 1, Long.MAX_VALUE, 3, Long.MAX_VALUE, "released").text(),
                    new HoldEvent("a", "t", 1, future, 3, 4, "released").text())) {
                call(driver, "XADD", EventStreamListener.DEFAULT_KEY, "*", "e", text);
            }
            HoldEvent good = new HoldEvent("ok", "t", 1, System.currentTimeMillis(), 3, 4, "released");
            call(driver, "XADD", EventStreamListener.DEFAULT_KEY, "*", "e", good.text());
            await("ok", lock -> lock.getAsJsonArray("timeline").size() == 1);
            assertThat(console.get("api/lock", "key", "a").getAsJsonArray("timeline"))
                    .isEmpty();
            assertThat(console.get("api/contention")
                            .getAsJsonObject("hold")
                            .get("count")
                            .getAsInt())
                    .isEqualTo(1);
        }
    }
}
