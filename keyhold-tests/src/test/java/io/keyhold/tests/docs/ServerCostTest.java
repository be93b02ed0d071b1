package io.keyhold.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.QuorumOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each operation costs the server, counted in commands, is what docs/benchmarks.md says: a change there is a decision. */
class ServerCostTest {

    private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");
    private static final Pattern ROW = Pattern.compile("\\| ([^|]+) \\| (\\d+) \\| (\\d+) \\|");
    private static final List<String> SCRIPTS = List.of("evalsha", "eval");
    /** Commands of this test, and those that keep connections alive. */
    private static final List<String> OTHERS = List.of("config|resetstat", "llen", "ping", "hello");

    private static final int ROUNDS = 5;
    private static final LockOptions STRICT =
            LockOptions.builder().fairness(Fairness.STRICT).build();

    /** A quorum of one, so that nothing is in flight when a call returns. */
    private static final QuorumOptions VOTES =
            QuorumOptions.builder().admitFreshNodes(true).build();

    private record Cost(long scripts, long inside) {

        Cost orLess(Cost other) {
            return other.inside < inside ? other : this;
        }
    }

    private interface Operation {
        void run() throws Exception;
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void costsAreAsDocumented(Setup setup) throws Exception {
        Map<String, Cost> costs = new LinkedHashMap<>();
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build();
                Keyhold other = setup.client(server.uri()).build();
                Keyhold voting = Keyhold.builder()
                        .quorum(List.of(server.uri() + "?driver=" + setup.driver()), VOTES)
                        .build()) {
            costs.put(
                    "lock: acquire and release",
                    cost(console, () -> keyhold.lock("l").acquire().release()));
            Lease held = keyhold.lock("h").acquire();
            AtomicInteger hours = new AtomicInteger(); // An end that is not later is not written.
            costs.put("lock: renewal", cost(console, () -> held.extend(Duration.ofHours(hours.incrementAndGet()))));
            costs.put("lock: join the queue", joinCost(console, keyhold, other));
            costs.put("lock: release with hand-over to another client", handOverCost(console, keyhold, other));
            costs.put("lock: release with hand-over to the same client", handOverCost(console, keyhold, keyhold));
            costs.put(
                    "`allOf` of three: acquire and release",
                    cost(console, () -> keyhold.allOf("a", "b", "c").acquire().release()));
            costs.put(
                    "semaphore: acquire and release",
                    cost(console, () -> keyhold.semaphore("s", 4).acquire().release()));
            costs.put(
                    "read lock: acquire and release",
                    cost(
                            console,
                            () -> keyhold.readWriteLock("rw")
                                    .readLock()
                                    .acquire()
                                    .release()));
            costs.put(
                    "write lock: acquire and release",
                    cost(
                            console,
                            () -> keyhold.readWriteLock("rw")
                                    .writeLock()
                                    .acquire()
                                    .release()));
            costs.put(
                    "quorum, on each node: vote and release",
                    cost(console, () -> voting.lock("q").acquire().release()));
        }
        assertThat(costs).isEqualTo(documented(costs));
    }

    /**
     * The least of some rounds: by the second, scripts are loaded and connections are open, and what a client does on its own every few
     * seconds (it probes its grant channel) falls into one round at most.
     */
    private static Cost cost(Console console, Operation operation) throws Exception {
        Cost least = new Cost(Long.MAX_VALUE, Long.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            console.ask("CONFIG", "RESETSTAT");
            operation.run();
            least = counted(console).orLess(least);
        }
        return least;
    }

    private static Cost joinCost(Console console, Keyhold holder, Keyhold waiter) throws Exception {
        Cost least = new Cost(Long.MAX_VALUE, Long.MAX_VALUE);
        Lease held = holder.lock("j", STRICT).acquire();
        for (int round = 0; round < ROUNDS; round++) {
            console.ask("CONFIG", "RESETSTAT");
            CompletableFuture<Lease> waiting = waiter.lock("j", STRICT).acquireAsync();
            ServerQueue queue = new ServerQueue(console, "j");
            queue.await(1);
            least = counted(console).orLess(least);
            waiting.cancel(true);
            queue.await(0);
        }
        held.release();
        return least;
    }

    private static Cost handOverCost(Console console, Keyhold holder, Keyhold waiter) throws Exception {
        Cost least = new Cost(Long.MAX_VALUE, Long.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            Lease held = holder.lock("l", STRICT).acquire();
            CompletableFuture<Lease> waiting = waiter.lock("l", STRICT).acquireAsync();
            new ServerQueue(console, "l").await(1);
            console.ask("CONFIG", "RESETSTAT");
            held.release();
            Lease next = waiting.get();
            least = counted(console).orLess(least);
            next.release();
        }
        return least;
    }

    private static Cost counted(Console console) {
        Map<String, Long> calls = CALLS.matcher(console.text("INFO", "commandstats"))
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> Long.parseLong(found.group(2))));
        long scripts =
                SCRIPTS.stream().mapToLong(name -> calls.getOrDefault(name, 0L)).sum();
        calls.keySet().removeAll(SCRIPTS);
        calls.keySet().removeAll(OTHERS);
        calls.keySet().removeIf(name -> name.startsWith("client|"));
        return new Cost(
                scripts, calls.values().stream().mapToLong(Long::longValue).sum());
    }

    private static Map<String, Cost> documented(Map<String, Cost> counted) throws Exception {
        Map<String, Cost> rows = ROW.matcher(Files.readString(Path.of("..", "docs", "benchmarks.md")))
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1),
                        row -> new Cost(Long.parseLong(row.group(2)), Long.parseLong(row.group(3))),
                        (one, two) -> two,
                        LinkedHashMap::new));
        rows.keySet().retainAll(counted.keySet());
        return rows;
    }
}
