package io.keyhold.tests.faults;

import static io.keyhold.tests.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A grant channel that the server refuses for a while: the client polls until it is open, and is handed the lock then. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class SubscribeRefusedTest {

    private static final String KEY = "invoice:42";

    private static long stat(Console console, String name) {
        return console.text("INFO", "all")
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(
                        line -> Long.parseLong(line.substring(name.length() + 1).strip()))
                .findFirst()
                .orElseThrow();
    }

    private static int channels(Console console) {
        return console.ask("PUBSUB", "CHANNELS") instanceof List<?> names ? names.size() : 0;
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void tooManyClientsIsTransient(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold holder = setup.client(server.uri()).build();
                Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease held = holder.lock(KEY)
                    .with(options -> options.lease(Duration.ofMinutes(5)))
                    .acquire();
            keyhold.lock("warm").acquire().release();
            console.ask("CONFIG", "SET", "maxclients", String.valueOf(stat(console, "connected_clients")));
            long rejected = stat(console, "rejected_connections");
            CompletableFuture<Lease> waiting = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    waiting.complete(keyhold.lock(KEY).acquire());
                } catch (InterruptedException | RuntimeException e) {
                    waiting.completeExceptionally(e);
                }
            });
            thread.start();
            await(() -> stat(console, "rejected_connections") > rejected || waiting.isDone());
            assertThat(waiting).isNotDone();
            assertThat(channels(console)).isZero();
            console.ask("CONFIG", "SET", "maxclients", "10000");
            await(() -> channels(console) == 1 || waiting.isDone());
            await(() -> holder.inspect().lock(KEY).waiterCount() == 1 || waiting.isDone());
            assertThat(waiting).isNotDone();
            assertThat(held.release()).isTrue();
            assertThat(waiting.get(60, TimeUnit.SECONDS).release()).isTrue();
            thread.join();
        }
    }
}
