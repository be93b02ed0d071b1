package io.keyhold.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.ThreadWatch;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** User code that blocks, in the JVM's common pool or in listeners of this client: losses are still reported. */
@Tag("full")
@Isolated("it blocks the common pool of the JVM")
class BlockedCallbacksTest {

    private static final int BLOCKED = 8;

    private final CountDownLatch free = new CountDownLatch(1);

    private void block() {
        try {
            free.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Lease renewed(Keyhold keyhold, String key, CompletableFuture<LeaseLost> heard) throws Exception {
        return keyhold.lock(key)
                .with(options ->
                        options.lease(Duration.ofSeconds(3)).renew(true).onLost(heard::complete))
                .acquireAsync()
                .get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void blockedCommonPoolDelaysNothing(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            for (int i = 0; i < BLOCKED; i++) {
                ForkJoinPool.commonPool().execute(this::block);
            }
            CompletableFuture<LeaseLost> heard = new CompletableFuture<>();
            renewed(keyhold, "invoice:42", heard);
            console.ask("FLUSHALL");
            assertThat(heard).succeedsWithin(Duration.ofMinutes(1));
        } finally {
            free.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void blockedListenersDelayNothing(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            // Not before the server starts: the thread that waits for its end may stay for a minute.
            ThreadWatch watch = new ThreadWatch();
            listenersBlock(setup, server);
            watch.awaitAtMost(0);
        }
    }

    private void listenersBlock(Setup setup, EmbeddedRedis server) throws Exception {
        try (Console console = new Console(server.uri());
                Keyhold other = setup.client(server.uri()).build();
                Keyhold keyhold = setup.client(server.uri()).build()) {
            CountDownLatch blocked = new CountDownLatch(BLOCKED);
            List<Lease> held = new ArrayList<>();
            for (int i = 0; i < BLOCKED; i++) {
                // Held until the listener is there: that of a request that is already granted runs here, and would
                // block this thread.
                held.add(other.lock("wanted" + i).acquire());
                keyhold.lock("wanted" + i).acquireAsync().thenRun(() -> {
                    blocked.countDown();
                    block();
                });
            }
            held.forEach(Lease::close);
            blocked.await();
            CompletableFuture<LeaseLost> heard = new CompletableFuture<>();
            renewed(keyhold, "invoice:42", heard);
            console.ask("FLUSHALL");
            assertThat(heard).succeedsWithin(Duration.ofMinutes(1));
        } finally {
            free.countDown();
        }
    }
}
