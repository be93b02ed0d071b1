package io.keyhold.tests.whole;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.InMemorySpace;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import io.keyhold.tests.contract.lock.Waiters;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What operators find in the log, and what must not be there. */
@Isolated("the log is shared")
class LogTest {

    private final Logger logger = Logger.getLogger("io.keyhold");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            lines.add(record.getLevel() + " " + MessageFormat.format(record.getMessage(), record.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
    }

    @Test
    void lossIsLoggedWithKeyAndWithoutValue() throws Exception {
        undisturbed(() -> {
            try (EmbeddedRedis server = EmbeddedRedis.start();
                    Console console = new Console(server.uri());
                    Keyhold keyhold = Setup.JEDIS_SCRIPTS.client(server.uri()).build()) {
                Lease lease = keyhold.lock("invoice:42")
                        .with(options -> options.lease(Duration.ofSeconds(6)).renew(true))
                        .acquire();
                console.ask("SET", "invoice:42", "the-thiefs-value");
                lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
                assertThat(lines).contains("WARNING lock 'invoice:42' was lost: TAKEN");
                assertThat(lines)
                        .noneMatch(line -> line.contains("the-thiefs-value"))
                        .noneMatch(line -> line.contains(lease.token()));
            }
        });
    }

    /** Not on the timer thread: thousands of leases may end at a time, a log may be slow, and renewals would wait behind it. */
    @Test
    void lossIsLoggedOnCallbackExecutor() throws Exception {
        BlockingQueue<Runnable> callbacks = new LinkedBlockingQueue<>();
        try (Keyhold keyhold =
                Keyhold.builder().inMemory().callbackExecutor(callbacks::add).build()) {
            keyhold.lock("short")
                    .with(options -> options.lease(Duration.ofMillis(200)))
                    .acquire();
            Runnable news = callbacks.take();
            assertThat(lines).noneMatch(line -> line.contains("'short'"));
            news.run();
            assertThat(lines).contains("WARNING lock 'short' was lost: EXPIRED");
        }
    }

    /** No user holds it yet, and the request acquires it again. */
    @Test
    void lostPartOfSeveralLocksLogsNoWarning() throws Exception {
        BlockingQueue<Runnable> callbacks = new LinkedBlockingQueue<>();
        InMemorySpace space = InMemorySpace.create();
        try (Keyhold other = Keyhold.builder().inMemory(space).build();
                Keyhold keyhold = Keyhold.builder()
                        .inMemory(space)
                        .callbackExecutor(callbacks::add)
                        .build()) {
            other.lock("b").acquire();
            keyhold.allOf("a", "b")
                    .with(options -> options.lease(Duration.ofMillis(300)))
                    .acquireAsync();
            Waiters.await(other, "b", 1);
            other.inspect().forceRelease("a");
            callbacks.take().run();
            assertThat(lines).noneMatch(line -> line.contains("was lost"));
        }
    }

    @Test
    void debugLevelLogsSteps() throws Exception {
        try (Keyhold keyhold = Keyhold.inMemory()) {
            keyhold.lock("quiet").acquire().release();
            assertThat(lines).noneMatch(line -> line.contains("quiet"));
            logger.setLevel(Level.FINE);
            keyhold.lock("invoice:42").acquire().release();
            assertThat(lines)
                    .anyMatch(line -> line.startsWith("FINE") && line.contains("was granted at attempt 1"))
                    .anyMatch(line -> line.startsWith("FINE") && line.contains("was released"));
        }
    }

    @Test
    void brokenConnectionIsLogged() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold = Setup.JEDIS_SCRIPTS.client(server.uri()).build()) {
            keyhold.lock("invoice:42").acquire().release();
            server.restart();
            keyhold.lock("invoice:42").acquire().release();
            assertThat(lines).anyMatch(line -> line.startsWith("INFO asking once more for lock 'invoice:42'"));
        }
    }

    @Test
    void forbiddenHandOverLogsOneWarning() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            console.ask("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-publish");
            String uri = "redis://app:pw@127.0.0.1:" + server.port();
            try (Keyhold holder = Setup.JEDIS_SCRIPTS.client(uri).build();
                    Keyhold waiter = Setup.JEDIS_SCRIPTS.client(server.uri()).build()) {
                for (int i = 0; i < 2; i++) {
                    Lease held = holder.lock("invoice:42").acquire();
                    CompletableFuture<Lease> waiting = waiter.lock("invoice:42").acquireAsync();
                    Waiters.await(holder, "invoice:42", 1);
                    assertThat(held.release()).isTrue();
                    waiting.cancel(true);
                    Waiters.await(holder, "invoice:42", 0);
                }
                assertThat(lines)
                        .filteredOn(line -> line.startsWith("WARNING"))
                        .singleElement()
                        .asString()
                        .contains("PUBLISH", "docs/keys.md", "127.0.0.1:" + server.port());
            }
        }
    }

    @Test
    void unsafeEvictionPolicyLogsWarning() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.builder()
                        .option("maxmemory", "100mb")
                        .option("maxmemory-policy", "volatile-ttl")
                        .start();
                Keyhold keyhold = Setup.JEDIS_SCRIPTS.client(server.uri()).build()) {
            keyhold.lock("invoice:42").acquire().release();
            keyhold.lock("invoice:42").acquire().release();
            assertThat(lines)
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .singleElement()
                    .asString()
                    .contains("volatile-ttl", "noeviction", "127.0.0.1:" + server.port());
        }
    }
}
