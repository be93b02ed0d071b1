package io.keyhold.console;

import static io.keyhold.console.Fixture.each;
import static io.keyhold.console.Fixture.first;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.QuorumOptions;
import io.keyhold.console.internal.JsonText;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.inspect.LockInspector;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every request, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
final class ConsoleApiTest {

    private static final LockOptions LONG =
            LockOptions.builder().lease(Duration.ofMinutes(10)).build();

    private final Fixture console = new Fixture(true);

    @AfterEach
    void close() {
        console.close();
    }

    private JsonObject locks(int count, String... query) {
        return Until.matches(
                () -> console.get("api/locks", query),
                seen -> seen.get("matched").getAsInt() == count);
    }

    @Test
    void infoNamesTheServer() {
        JsonObject info = console.get("api/info");
        assertThat(info.get("target").getAsString()).isEqualTo(console.redis().uri());
        assertThat(info.get("topology").getAsString()).isEqualTo("single");
        assertThat(info.get("allowRelease").getAsBoolean()).isTrue();
        assertThat(info.get("history").getAsString()).isEqualTo("sampling");
    }

    @Test
    void locksAreFilteredSortedAndGrouped() throws InterruptedException {
        Keyhold client = console.client("billing");
        client.lock("order:eu:7", LONG).acquire();
        client.lock("order:us:8", LONG).acquire();
        client.semaphore("gpu", 4).acquire(3);
        client.readWriteLock("catalog").readLock().acquire();
        CompletableFuture<Lease> waiting =
                console.client("waiter").lock("order:us:8", LONG).acquireAsync();
        JsonObject all = Until.matches(
                () -> console.get("api/locks"),
                seen -> seen.get("total").getAsInt() == 4
                        && first(seen, "rows").get("waiterCount").getAsInt() == 1);
        assertThat(each(all, "rows", "key")).containsExactly("order:us:8", "catalog", "gpu", "order:eu:7");
        assertThat(each(all, "rows", "kind")).containsExactly("lock", "readWrite", "semaphore", "lock");
        assertThat(each(all, "rows", "permitsInUse")).containsExactly("null", "null", "3", "null");
        assertThat(each(all, "groups", "prefix")).containsExactly("order:");
        JsonObject holder = first(first(all, "rows"), "holders");
        assertThat(holder.get("clientName").getAsString()).isEqualTo("billing");
        assertThat(holder.get("pid").getAsLong())
                .isEqualTo(ProcessHandle.current().pid());
        assertThat(holder.get("remainingMillis").getAsLong()).isBetween(1L, 600_000L);
        assertThat(holder.get("leaseMillis").getAsLong())
                .isGreaterThanOrEqualTo(holder.get("remainingMillis").getAsLong());

        JsonObject part = console.get("api/locks", "prefix", "order:", "sort", "key", "offset", "1", "limit", "1");
        assertThat(each(part, "rows", "key")).containsExactly("order:us:8");
        assertThat(part.get("matched").getAsInt()).isEqualTo(2);
        assertThat(each(part, "groups", "prefix")).containsExactly("order:eu:", "order:us:");
        assertThat(each(console.get("api/locks", "filter", "CATA"), "rows", "key"))
                .containsExactly("catalog");
        waiting.cancel(true);
    }

    @Test
    void oneKeyShowsQueueAndTimeline() throws Exception {
        Lease first = console.client("first").lock("job", LONG).acquire();
        CompletableFuture<Lease> second =
                console.client("second").lock("job", LONG).acquireAsync();
        JsonObject seen = Until.matches(
                () -> console.get("api/lock", "key", "job"),
                lock -> lock.getAsJsonArray("queue").size() == 1
                        && lock.getAsJsonArray("timeline").size() == 1);
        assertThat(each(seen, "queue", "clientName")).containsExactly("second");
        assertThat(each(seen, "timeline", "end")).containsExactly("held");
        // The hand-over must be between two samples that show both.
        awaitSample();
        first.release();
        second.get(1, TimeUnit.MINUTES);
        JsonObject after = Until.matches(
                () -> console.get("api/lock", "key", "job"),
                lock -> lock.getAsJsonArray("timeline").size() == 2);
        assertThat(each(after, "timeline", "clientName")).containsExactly("second", "first");
        assertThat(each(after, "timeline", "end")).containsExactly("held", "handedOver");
        assertThat(first(after, "timeline").get("waitedMillis").isJsonNull()).isFalse();
        second.get().release();
        JsonObject free = Until.matches(
                () -> console.get("api/lock", "key", "job"),
                lock -> each(lock, "timeline", "end").get(0).equals("released"));
        assertThat(free.get("lock").isJsonNull()).isTrue();
        // Not 1: the holds may have ended before and after a full minute of the clock.
        JsonObject contention = console.get("api/contention", "minutes", "2");
        assertThat(each(contention, "rows", "key")).containsExactly("job");
        assertThat(contention.getAsJsonObject("hold").get("count").getAsInt()).isEqualTo(2);
        assertThat(contention.getAsJsonObject("wait").get("count").getAsInt()).isEqualTo(1);
    }

    private void awaitSample() {
        long samples = console.api().samples();
        Until.matches(
                () -> {
                    console.get("api/locks");
                    return console.api().samples();
                },
                now -> now >= samples + 2);
    }

    @Test
    void expiredHoldIsToldFromAReleasedOne() throws InterruptedException {
        console.client("dying")
                .lock(
                        "short",
                        LockOptions.builder().lease(Duration.ofSeconds(4)).build())
                .acquire();
        locks(1);
        JsonObject after = Until.matches(
                () -> {
                    console.get("api/locks");
                    return console.get("api/lock", "key", "short");
                },
                lock -> lock.get("lock").isJsonNull()
                        && !each(lock, "timeline", "end").contains("held"));
        // A machine that stands still may miss the samples before the end.
        assertThat(each(after, "timeline", "end")).containsAnyOf("expired", "unknown");
    }

    @Test
    void doctorThatLacksAClassHasFailed() {
        ConsoleOptions options = ConsoleOptions.builder()
                .doctor(() -> {
                    throw new NoClassDefFoundError("a driver");
                })
                .build();
        ConsoleApi api = console.own(new ConsoleApi(console.client("console"), options));
        JsonObject doctor = Until.matches(
                () -> Fixture.get(api, "api/doctor"),
                seen -> !seen.get("running").getAsBoolean());
        assertThat(Fixture.each(doctor, "findings", "detail")).containsExactly("a driver");
    }

    @Test
    void doctorFindsWhatEndangersLocks() {
        JsonObject findings = Until.matches(
                () -> console.get("api/doctor"),
                seen -> !seen.get("running").getAsBoolean()
                        && seen.getAsJsonArray("findings").size() > 0);
        assertThat(each(findings, "findings", "level")).contains("ok", "warning");
        assertThat(each(findings, "findings", "title")).contains("persistence").doesNotContain("trial");
        JsonObject topology = findings.getAsJsonObject("topology");
        assertThat(topology.get("kind").getAsString()).isEqualTo("single");
        assertThat(each(topology, "nodes", "state")).containsExactly("ok");
    }

    @Test
    void badParametersAreNamed() {
        assertError(400, "limit must be a whole number from 0 to 1000, was 'x'", "api/locks", "limit", "x");
        assertError(400, "sort must be", "api/locks", "sort", "size");
        assertError(400, "minutes must be a whole number from 1 to 60, was '61'", "api/contention", "minutes", "61");
        assertError(400, ":kh:", "api/lock", "key", "{a}:kh:queue");
        assertError(404, "there is no api/nothing", "api/nothing");
        assertError(404, "no such file", "../module-info.class");
        assertError(405, "GET", "api/release");
    }

    private void assertError(int status, String message, String path, String... query) {
        ConsoleResponse response = Fixture.response(console.api(), path, query);
        assertThat(response.status()).isEqualTo(status);
        assertThat(JsonParser.parseString(response.body())
                        .getAsJsonObject()
                        .get("error")
                        .getAsString())
                .contains(message);
    }

    @Test
    void pageIsServed() {
        assertThat(Fixture.response(console.api(), "").body()).contains("<!doctype html>");
        assertThat(Fixture.response(console.api(), "app.js").contentType()).startsWith("text/javascript");
    }

    @Test
    void markupInNamesArrivesAsText() throws InterruptedException {
        String key = "<script>alert(1)</script>&\"'\u2028";
        console.client("a").lock(key, LONG).acquire();
        // A foreign client may write anything.
        String foreign = "</script><img src=x onerror=alert(1)>\u0000";
        console.client("b")
                .lock(
                        "foreign",
                        LockOptions.builder()
                                .token(foreign.replace("\u0000", ""))
                                .build())
                .acquire();
        JsonObject all = locks(2, "sort", "key");
        assertThat(each(all, "rows", "key")).containsExactly(key, "foreign");
        String raw = Fixture.response(console.api(), "api/locks").body();
        assertThat(raw).doesNotContain("<").doesNotContain("\u2028");
        assertThat(first(console.get("api/lock", "key", "foreign"), "holders")
                        .get("token")
                        .getAsString())
                .isEqualTo(foreign.replace("\u0000", ""));
    }

    private JsonObject release(int status, String key, String token, String typed, String reason) {
        ConsoleResponse response = console.api()
                .handle(ConsoleRequest.post(
                        "api/release",
                        JsonText.of(Map.of("key", key, "token", token, "typedKey", typed, "reason", reason))));
        assertThat(response.status()).as(response.body()).isEqualTo(status);
        return JsonParser.parseString(response.body()).getAsJsonObject();
    }

    private String holder(String key) {
        return first(console.get("api/lock", "key", key), "holders")
                .get("token")
                .getAsString();
    }

    @Test
    void forceReleaseTakesTheLockFromTheSeenHolderOnly() throws InterruptedException {
        Lease lease = console.client("stuck").lock("job", LONG).acquire();
        locks(1);
        String token = holder("job");
        assertThat(release(400, "job", token, "jo", "stuck").get("error").getAsString())
                .contains("typed key");
        assertThat(release(400, "job", token, "job", "  ").get("error").getAsString())
                .contains("reason");
        assertThat(console.audit()).isEmpty();
        lease.release();
        console.client("next").lock("job", LONG).acquire();
        assertThat(release(200, "job", token, "job", "stuck").get("released").getAsBoolean())
                .isFalse();
        assertThat(first(console.get("api/lock", "key", "job"), "holders")
                        .get("clientName")
                        .getAsString())
                .isEqualTo("next");
        awaitSample();
        String next = holder("job");
        assertThat(release(200, "job", next, "job", "host is gone\nforged line")
                        .get("released")
                        .getAsBoolean())
                .isTrue();
        JsonObject after = Until.matches(
                () -> console.get("api/lock", "key", "job"),
                lock -> !each(lock, "timeline", "end").contains("held"));
        assertThat(after.get("lock").isJsonNull()).isTrue();
        assertThat(each(after, "timeline", "end").get(0)).isEqualTo("forced");
        assertThat(console.audit()).hasSize(2);
        assertThat(console.audit().get(0)).contains("left alone", token);
        assertThat(console.audit().get(1))
                .contains("force release of 'job' from " + next + ": released; reason: host is gone\\u000aforged line");
    }

    @Test
    void releaseNeedsJsonAndPermission() {
        ConsoleRequest form = new ConsoleRequest("POST", "api/release", Map.of(), "text/plain", "{}");
        assertThat(console.api().handle(form).status()).isEqualTo(415);
        ConsoleRequest broken = ConsoleRequest.post("api/release", "{\"key\":");
        assertThat(console.api().handle(broken).status()).isEqualTo(400);
        assertThat(console.api()
                        .handle(ConsoleRequest.post("api/release", "{\"key\":1}"))
                        .status())
                .isEqualTo(400);
        try (ConsoleApi readOnly = new ConsoleApi(
                console.client("reader"), ConsoleOptions.builder().build())) {
            assertThat(readOnly.handle(broken).status()).isEqualTo(403);
        }
    }

    @Test
    void quorumShowsWhatEachNodeSees() throws InterruptedException {
        try (EmbeddedRedis one = EmbeddedRedis.start();
                EmbeddedRedis two = EmbeddedRedis.start();
                EmbeddedRedis three = EmbeddedRedis.start();
                Keyhold quorum = Keyhold.builder()
                        .quorum(
                                List.of(
                                        Fixture.patient(one.uri()),
                                        Fixture.patient(two.uri()),
                                        Fixture.patient(three.uri())),
                                QuorumOptions.builder().admitFreshNodes(true).build())
                        .clientName("voter")
                        .build();
                ConsoleApi api = new ConsoleApi(
                        quorum, ConsoleOptions.builder().topology("quorum").build())) {
            Lease lease = quorum.lock(
                            "vote",
                            LockOptions.builder().lease(Duration.ofSeconds(50)).build())
                    .acquire();
            JsonObject seen = Until.matches(
                    () -> Fixture.get(api, "api/lock", "key", "vote"),
                    lock -> each(lock, "nodes", "clientName").equals(List.of("voter", "voter", "voter")));
            assertThat(each(seen, "nodes", "state")).containsExactly("ok", "ok", "ok");
            Until.matches(
                    () -> Fixture.get(api, "api/locks"), all -> all.get("total").getAsInt() == 1);
            three.kill();
            Until.matches(
                    () -> Fixture.get(api, "api/lock", "key", "vote"),
                    lock -> each(lock, "nodes", "state").get(2).equals("unreachable"));
            lease.release();
        }
    }

    @Test
    void ticksTellThatTheServerIsGoneAndBack() throws InterruptedException {
        BlockingQueue<String> ticks = new LinkedBlockingQueue<>();
        Optional<ConsoleSubscription> page = console.api().subscribe(ticks::add);
        awaitTick(ticks, "\"status\":\"ok\"");
        console.redis().kill();
        awaitTick(ticks, "\"status\":\"unreachable\"");
        console.redis().restart();
        awaitTick(ticks, "\"status\":\"ok\"");
        console.redis().pause();
        awaitTick(ticks, "has not replied");
        console.redis().resume();
        awaitTick(ticks, "\"status\":\"ok\"");
        page.orElseThrow().close();
        ticks.clear();
        Optional<ConsoleSubscription> again = console.api().subscribe(ticks::add);
        console.api().close();
        awaitTick(ticks, "event: bye");
        again.orElseThrow().close();
        assertThat(console.api().subscribe(ticks::add)).isEmpty();
    }

    @Test
    void sampleThatRunsOutOfMemoryIsReportedAndTheNextOneIsTaken() throws InterruptedException {
        AtomicBoolean failing = new AtomicBoolean(true);
        LockInspector real = console.client("console").inspect();
        BlockingQueue<String> ticks = new LinkedBlockingQueue<>();
        try (ConsoleApi api = consoleOf((method, arguments) -> {
            if (failing.get()) {
                throw new OutOfMemoryError("too many locks");
            }
            return method.invoke(real, arguments);
        })) {
            api.subscribe(ticks::add);
            awaitTick(ticks, "too many locks");
            failing.set(false);
            awaitTick(ticks, "\"status\":\"ok\"");
        }
    }

    @Test
    void locksAreIncompleteBeforeTheFirstSample() {
        CountDownLatch replies = new CountDownLatch(1);
        LockInspector real = console.client("console").inspect();
        try (ConsoleApi api = consoleOf((method, arguments) -> {
            replies.await();
            return method.invoke(real, arguments);
        })) {
            assertThat(Fixture.get(api, "api/locks").get("complete").getAsBoolean())
                    .isFalse();
            replies.countDown();
            Until.matches(
                    () -> Fixture.get(api, "api/locks"),
                    all -> all.get("complete").getAsBoolean());
        }
    }

    /** A method of the inspector. */
    private interface Work {
        Object call(Method method, Object[] arguments) throws Exception;
    }

    private static ConsoleApi consoleOf(Work inspection) {
        LockInspector inspector = proxy(LockInspector.class, inspection);
        return new ConsoleApi(
                proxy(Keyhold.class, (method, arguments) -> inspector),
                ConsoleOptions.builder().build());
    }

    private static <T> T proxy(Class<T> type, Work work) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> work.call(method, arguments)));
    }

    private static void awaitTick(BlockingQueue<String> ticks, String part) throws InterruptedException {
        String tick;
        do {
            tick = ticks.poll(1, TimeUnit.MINUTES);
            assertThat(tick).as("a tick with " + part).isNotNull();
        } while (!tick.contains(part));
    }

    @Test
    void numberOfPagesIsBounded() {
        List<ConsoleSubscription> pages = new ArrayList<>();
        for (int i = 0; i < Ticks.MOST_PAGES; i++) {
            pages.add(console.api().subscribe(tick -> {}).orElseThrow());
        }
        assertThat(console.api().subscribe(tick -> {})).isEmpty();
        pages.get(0).close();
        assertThat(console.api().subscribe(tick -> {})).isPresent();
    }

    @Test
    void nothingIsAskedWithoutAPage() {
        // No request and no page so far: no sample was ever begun.
        assertThat(console.api().samples()).isZero();
        assertThat(console.get("api/info").get("history").getAsString()).isEqualTo("sampling");
        assertThat(console.api().samples()).isZero();
    }
}
