package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.ThreadWatch;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One client waits ten thousand times at once: that takes no more threads than to wait once, and leaves nothing. */
@Tag("full")
@Isolated("threads of other tests would count")
class ManyWaitersTest {

    private static final int WAITERS = 10_000;

    /** What a client may have at any time: the timer, the inbox, and eight workers that send requests. */
    private static final int THREADS = 10;

    /** A limit for safety; it takes seconds. */
    private static final long LIMIT_SECONDS = 150;

    /** What the waiters wait for. */
    enum Crowd {
        ONE_KEY_BATCHED(1, Fairness.BATCHED),
        ONE_KEY_STRICT(1, Fairness.STRICT),
        A_KEY_EACH(WAITERS, Fairness.BATCHED);

        private final int keys;
        private final Fairness fairness;

        Crowd(int keys, Fairness fairness) {
            this.keys = keys;
            this.fairness = fairness;
        }

        private LockOptions options() {
            return (fairness == Fairness.STRICT ? Terms.STRICT : Terms.BATCHED).options();
        }

        private String key(int waiter) {
            return "many:" + waiter % keys;
        }
    }

    static Stream<Arguments> crowds() {
        // What differs between the drivers is how many requests are under way at the server, which is most in a strict
        // line.
        return Stream.concat(
                Stream.of(Crowd.values()).map(crowd -> Arguments.of(Setup.JEDIS_SCRIPTS, crowd)),
                Stream.of(Arguments.of(Setup.LETTUCE_SCRIPTS, Crowd.ONE_KEY_STRICT)));
    }

    @ParameterizedTest
    @MethodSource("crowds")
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void waitersTakeNoThreadsAndAllAreServed(Setup setup, Crowd crowd) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold other = Setup.LETTUCE_SCRIPTS
                        .client(server.uri(), "commandTimeout=20s")
                        .build()) {
            List<Lease> held = Portions.results(
                    crowd.keys, i -> other.lock(crowd.key(i), crowd.options()).acquireAsync());
            ThreadWatch threads = new ThreadWatch();
            try (Keyhold client =
                    setup.client(server.uri(), "commandTimeout=20s").build()) {
                ServerQueue queue = new ServerQueue(console, crowd.key(0));
                CompletableFuture<Lease> one = ask(client, crowd, 0);
                queue.await(1);
                int enough = Math.max(threads.started().size(), THREADS);
                one.cancel(true);
                queue.await(0);

                List<CompletableFuture<Lease>> cancelled = askAll(client, crowd);
                awaitQueues(console, crowd);
                threads.awaitAtMost(enough); // Those that only sent requests may take a while to end.
                cancelled.forEach(request -> request.cancel(true));
                awaitNoQueue(console);
                assertThat(held).allMatch(Lease::isHeld);

                List<CompletableFuture<Boolean>> served = askAll(client, crowd).stream()
                        .map(request -> request.thenCompose(Lease::releaseAsync))
                        .toList();
                awaitQueues(console, crowd);
                threads.awaitAtMost(enough);
                assertThat(Portions.results(held.size(), i -> held.get(i).releaseAsync()))
                        .allMatch(released -> released);
                CompletableFuture.allOf(served.toArray(CompletableFuture[]::new))
                        .get(LIMIT_SECONDS, TimeUnit.SECONDS);
                assertThat(served).allMatch(CompletableFuture::join);
                awaitNoQueue(console);
                assertThat((List<?>) console.ask("KEYS", "*"))
                        .as("fencing counters, and nothing else")
                        .isNotEmpty()
                        .allMatch(key -> key.toString().endsWith(":kh:fence"));
            }
        }
    }

    private static List<CompletableFuture<Lease>> askAll(Keyhold client, Crowd crowd) {
        return IntStream.range(0, WAITERS)
                .mapToObj(waiter -> ask(client, crowd, waiter))
                .toList();
    }

    private static CompletableFuture<Lease> ask(Keyhold client, Crowd crowd, int waiter) {
        return client.lock(crowd.key(waiter), crowd.options()).acquireAsync();
    }

    /** Until everybody who waits at the server does: all of them, or one for each key if the client keeps the others. */
    private static void awaitQueues(Console console, Crowd crowd) throws InterruptedException {
        long entries = crowd == Crowd.ONE_KEY_STRICT ? WAITERS : 1;
        for (int i = 0; i < crowd.keys; i++) {
            new ServerQueue(console, crowd.key(i)).await(entries);
        }
    }

    private static void awaitNoQueue(Console console) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!console.text("KEYS", "*:kh:queue").equals("[]")) {
            assertThat(System.nanoTime()).as("time until the queues are gone").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
