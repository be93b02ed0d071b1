package io.keyhold.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockMode;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What samples and events become, with times that the test sets. */
final class HistoryTest {

    private static final long START = 1_000_000_000_000L;

    private final History history = new History();

    private static LockHolder holder(String token, long fencing, long since, long remaining) {
        return new LockHolder(
                token,
                LockMode.EXCLUSIVE,
                1,
                false,
                Optional.of(token),
                Optional.of("host"),
                OptionalLong.of(1),
                OptionalLong.of(fencing),
                Optional.of(Instant.ofEpochMilli(since)),
                Optional.of(Duration.ofMillis(remaining)));
    }

    private static LockSnapshot lock(String key, LockHolder holder, String... waiters) {
        List<LockWaiter> queue = List.of(waiters).stream()
                .map(token -> new LockWaiter(
                        token,
                        LockMode.EXCLUSIVE,
                        1,
                        Optional.of(token),
                        Optional.of("host"),
                        OptionalLong.of(1),
                        Instant.ofEpochMilli(START)))
                .toList();
        return new LockSnapshot(key, LockKind.LOCK, List.of(holder), 1, 1, 0, queue, queue.size(), List.of());
    }

    private List<Object> ends() {
        return history.timeline("k", START + 100_000).stream()
                .map(hold -> (Object) String.valueOf(hold.get("end")))
                .toList();
    }

    private void sample(long at, LockSnapshot... locks) {
        history.sample(List.of(locks), START + at, true);
    }

    @Test
    void handOverKnowsWaitAndEnd() {
        sample(1_000, lock("k", holder("a", 1, START, 30_000), "b"));
        sample(2_000, lock("k", holder("b", 2, START + 1_500, 30_000)));
        Map<String, ?> second = history.timeline("k", START + 3_000).get(0);
        Map<String, ?> first = history.timeline("k", START + 3_000).get(1);
        assertThat(second.get("waitedMillis")).isEqualTo(1_500L);
        assertThat(first.get("end")).isEqualTo("handedOver");
        assertThat(first.get("heldMillis")).isEqualTo(1_500L);
        assertThat(second.get("heldMillis")).isEqualTo(1_500L);
    }

    @Test
    void endIsJudgedByTheRestOfTheLease() {
        sample(0, lock("k", holder("a", 1, START, 30_000)));
        sample(1_000, lock("k", holder("a", 1, START, 29_000)));
        sample(2_000);
        assertThat(ends()).containsExactly("released");
        sample(3_000, lock("k", holder("b", 2, START + 3_000, 30_000)));
        sample(32_500, lock("k", holder("b", 2, START + 3_000, 500)));
        sample(33_500);
        assertThat(ends()).containsExactly("expired", "released");
        // Always shorter than the time between samples: no telling.
        sample(40_000, lock("k", holder("c", 3, START + 40_000, 300)));
        sample(41_000);
        assertThat(ends()).containsExactly("unknown", "expired", "released");
    }

    @Test
    void endDuringAnOutageIsUnknown() {
        sample(0, lock("k", holder("a", 1, START, 30_000)));
        history.gap();
        sample(1_000);
        assertThat(ends()).containsExactly("unknown");
    }

    /** Releases tokens of k by force, each with this result of the server. */
    private void force(InvocationHandler server, String... tokens) {
        LockInspector inspector = (LockInspector) Proxy.newProxyInstance(
                LockInspector.class.getClassLoader(), new Class<?>[] {LockInspector.class}, server);
        Releases releases = new Releases(
                inspector, history, ConsoleOptions.builder().allowRelease(true).build());
        for (String token : tokens) {
            releases.release(ConsoleRequest.post(
                    "api/release",
                    "{\"key\":\"k\",\"token\":\"" + token + "\",\"typedKey\":\"k\",\"reason\":\"test\"}"));
        }
    }

    @Test
    void endThatAReleaseFoundIsNotByForce() {
        sample(0, lock("k", holder("a", 1, START, 30_000)));
        force((proxy, method, arguments) -> false, "a");
        sample(1_000);
        assertThat(ends()).containsExactly("released");
    }

    @Test
    void endAfterAFailedReleaseIsNotByForce() {
        sample(0, lock("k", holder("a", 1, START, 30_000)));
        InvocationHandler broken = (proxy, method, arguments) -> {
            throw new StoreUnavailableException("no connection", true, null);
        };
        assertThatThrownBy(() -> force(broken, "a")).isInstanceOf(StoreUnavailableException.class);
        sample(1_000);
        assertThat(ends()).containsExactly("released");
    }

    /** Two pages may show the same hold, and each release it. */
    @Test
    void secondReleaseLeavesTheEndForced() {
        sample(0, lock("k", holder("a", 1, START, 30_000)));
        Iterator<Boolean> results = List.of(true, false).iterator();
        force((proxy, method, arguments) -> results.next(), "a", "a");
        sample(1_000);
        assertThat(ends()).containsExactly("forced");
    }

    @Test
    void everyReleasedHoldOfAKeyIsForced() {
        sample(0, lock("k", holder("a", 1, START, 30_000)));
        force((proxy, method, arguments) -> true, "a", "b");
        sample(1_000);
        assertThat(ends()).containsExactly("forced");
    }

    /** Its value may be the same for every hold, such as 1. */
    @Test
    void foreignHolderMayHoldAgain() {
        LockHolder foreign = new LockHolder(
                "1",
                LockMode.EXCLUSIVE,
                1,
                true,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.of(Duration.ofSeconds(30)));
        sample(0, lock("k", foreign));
        sample(1_000);
        sample(2_000, lock("k", foreign));
        assertThat(ends()).containsExactly("held", "released");
    }

    @Test
    void holdsAreNotFollowedInACrowd() {
        LockHolder one = holder("a", 1, START, 30_000);
        sample(0, lock("k", one));
        int crowd = KeyHistory.MOST_HOLDERS + 1;
        sample(
                1_000,
                new LockSnapshot("k", LockKind.SEMAPHORE, List.of(one), crowd, crowd, 0, List.of(), 0, List.of()));
        assertThat(ends()).containsExactly("unknown");
        sample(2_000, lock("k", one));
        assertThat(ends()).containsExactly("held");
    }

    @Test
    void limitedSampleEndsNothing() {
        sample(0, lock("k", holder("a", 1, START, 30_000)));
        history.sample(List.of(), START + 1_000, false);
        assertThat(ends()).containsExactly("held");
    }

    @Test
    void eventCorrectsTheSample() {
        sample(0, lock("k", holder("a", 1, START, 30_000)));
        sample(1_000);
        history.report(List.of(new HoldEvent("k", "a", 1, START, 40, 700, "lost")), START + 1_000);
        // The server may show the token for longer: it was handed over inside the client.
        sample(2_000, lock("k", holder("a", 1, START, 30_000)));
        Map<String, ?> only = history.timeline("k", START + 3_000).get(0);
        assertThat(history.timeline("k", START + 3_000)).hasSize(1);
        assertThat(only.get("end")).isEqualTo("lost");
        assertThat(only.get("source")).isEqualTo("event");
        assertThat(only.get("waitedMillis")).isEqualTo(40L);
        assertThat(only.get("heldMillis")).isEqualTo(700L);
        assertThat(history.contention(START + 3_000, 10).get("source")).isEqualTo("events");
    }

    @Test
    void memoryIsBoundedInHoldsKeysAndBytes() {
        History small = new History(100, 100_000);
        for (int round = 0; round < 50; round++) {
            int from = round * 20;
            long at = START + round * 1_000L;
            List<LockSnapshot> locks = IntStream.range(from, from + 200)
                    .mapToObj(i -> lock("key-" + i, holder("token-" + i, i, at, 30_000), "w"))
                    .toList();
            small.sample(locks, at, true);
            assertThat(small.sizes().get("keys")).isLessThanOrEqualTo(100);
            assertThat(small.sizes().get("held")).isLessThanOrEqualTo(100);
            assertThat(small.sizes().get("bytes")).isLessThanOrEqualTo(100_000);
            assertThat(small.sizes().get("rows")).isLessThanOrEqualTo(WaiterGrid.MOST_ROWS);
        }
        for (int i = 0; i < 1_000; i++) {
            small.report(List.of(new HoldEvent("busy", "t" + i, i, START + i, 1, 1, "released")), START);
        }
        assertThat(small.timeline("busy", START)).hasSize(KeyHistory.MOST_HOLDS);
        assertThat(small.sizes().get("bytes")).isBetween(0L, 100_000L);
    }

    @Test
    void gridIsBoundedAndForgets() {
        WaiterGrid grid = new WaiterGrid();
        for (int i = 0; i < WaiterGrid.MOST_ROWS + 50; i++) {
            grid.put("key-" + i, 2, START + i);
        }
        assertThat(grid.size()).isEqualTo(WaiterGrid.MOST_ROWS);
        grid.put("quiet", 0, START);
        assertThat(grid.size()).isEqualTo(WaiterGrid.MOST_ROWS);
        long later = START + 2 * WaiterGrid.COLUMNS * WaiterGrid.STEP;
        assertThat((List<?>) grid.show(later, 60).get("rows")).isEmpty();
        grid.put("late", 7, later);
        assertThat(grid.size()).isEqualTo(1);
        assertThat(String.valueOf(grid.show(later, 10).get("rows"))).contains("late", "total=7");
        assertThat((List<?>) grid.show(later, 60).get("times")).hasSize(120);
    }

    @Test
    void percentilesAreCloseAndForget() {
        Distribution distribution = new Distribution();
        for (int i = 1; i <= 1_000; i++) {
            distribution.add(START, i);
        }
        Map<String, ?> summary = distribution.summary(START, 10);
        assertThat(summary.get("count")).isEqualTo(1_000L);
        assertThat((Long) summary.get("p50")).isBetween(500L, 532L);
        assertThat((Long) summary.get("p99")).isBetween(990L, 1_000L);
        assertThat(summary.get("max")).isEqualTo(1_000L);
        assertThat(distribution.summary(START + 60 * 60_000L, 60).get("count")).isEqualTo(0L);
        assertThat(distribution.summary(START + 60 * 60_000L, 60).get("p50")).isNull();
        distribution.add(START + 60 * 60_000L, Long.MAX_VALUE);
        assertThat(distribution.summary(START + 60 * 60_000L, 60).get("count")).isEqualTo(1L);
        for (long value = 0; value < 100_000; value += 7) {
            int bucket = Distribution.bucket(value);
            assertThat(Distribution.upperEnd(bucket)).isBetween(value, value + value / 16 + 1);
        }
    }
}
