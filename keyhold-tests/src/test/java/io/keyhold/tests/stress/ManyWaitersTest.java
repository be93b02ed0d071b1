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

/** Ten thousand waiters of one client take no more threads than one waiter, and leave nothing. */
@Tag("full")
@Tag("alone")
@Isolated("threads of other tests would count")
class ManyWaitersTest {

    private static final int WAITERS = 10_000;

    /** What a client may have at any time: the timer, the grant channel, and eight workers that send requests. */
    private static final int THREADS = 10;

    /** A safety limit; it takes seconds. */
    private static final long LIMIT_SECONDS = 150;

    /** What the waiters wait for. */
    enum Target {
        ONE_KEY_BATCHED(1, Fairness.BATCHED),
        ONE_KEY_STRICT(1, Fairness.STRICT),
        A_KEY_EACH(WAITERS, Fairness.BATCHED);

        private final int keys;
        private final Fairness fairness;

        Target(int keys, Fairness fairness) {
            this.keys = keys;
            this.fairness = fairness;
        }

        private LockOptions options() {
            return (fairness == Fairness.STRICT ? HolderOptions.STRICT : HolderOptions.BATCHED).options();
        }

        private String key(int waiter) {
            return "many:" + waiter % keys;
        }
    }

    static Stream<Arguments> crowds() {
        // What differs between the drivers is how many requests are in flight, which is most in a strict
        // queue.
        return Stream.concat(
                Stream.of(Target.values()).map(target -> Arguments.of(Setup.JEDIS_SCRIPTS, target)),
                Stream.of(Arguments.of(Setup.LETTUCE_SCRIPTS, Target.ONE_KEY_STRICT)));
    }

    @ParameterizedTest
    @MethodSource("crowds")
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void waitersTakeNoThreadsAndAllAreServed(Setup setup, Target target) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold other = Setup.LETTUCE_SCRIPTS
                        .client(server.uri(), "commandTimeout=20s")
                        .build()) {
            List<Lease> held = RequestBatches.results(
                    target.keys,
                    i -> other.lock(target.key(i), target.options()).acquireAsync());
            ThreadWatch threads = new ThreadWatch();
            try (Keyhold client =
                    setup.client(server.uri(), "commandTimeout=20s").build()) {
                ServerQueue queue = new ServerQueue(console, target.key(0));
                CompletableFuture<Lease> one = ask(client, target, 0);
                queue.await(1);
                int enough = Math.max(threads.started().size(), THREADS);
                one.cancel(true);
                queue.await(0);

                List<CompletableFuture<Lease>> cancelled = askAll(client, target);
                awaitQueues(console, target);
                threads.awaitAtMost(enough); // Threads that only sent requests may take a while to end.
                cancelled.forEach(request -> request.cancel(true));
                awaitNoQueue(console);
                assertThat(held).allMatch(Lease::isHeld);

                List<CompletableFuture<Boolean>> served = askAll(client, target).stream()
                        .map(request -> request.thenCompose(Lease::releaseAsync))
                        .toList();
                awaitQueues(console, target);
                threads.awaitAtMost(enough);
                assertThat(RequestBatches.results(held.size(), i -> held.get(i).releaseAsync()))
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

    private static List<CompletableFuture<Lease>> askAll(Keyhold client, Target target) {
        return IntStream.range(0, WAITERS)
                .mapToObj(waiter -> ask(client, target, waiter))
                .toList();
    }

    private static CompletableFuture<Lease> ask(Keyhold client, Target target, int waiter) {
        return client.lock(target.key(waiter), target.options()).acquireAsync();
    }

    /** Returns when the queues are complete: all waiters, or one for each key if the others are in the local queue. */
    private static void awaitQueues(Console console, Target target) throws InterruptedException {
        long entries = target == Target.ONE_KEY_STRICT ? WAITERS : 1;
        for (int i = 0; i < target.keys; i++) {
            new ServerQueue(console, target.key(i)).await(entries);
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
