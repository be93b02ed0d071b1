package io.keyhold.tests.faults;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.CommandStyle;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that reply with an error: the message reaches the user, and nothing is left behind. */
@Execution(ExecutionMode.CONCURRENT)
class RefusalTest {

    private static final String KEY = "invoice:42";

    /**
     * 40 megabytes that take half a minute to load: no test waits for its end. The server replies after every two megabytes.
     * Options that make it reply more often are not known to every version.
     */
    private static final String DATA =
            "local value = string.rep('x', 8192) for i = 1, 5000 do redis.call('SET', 'key' .. i, value) end";

    private static final String LOAD_DELAY_MICROS = "6000";

    @ParameterizedTest
    @EnumSource(Setup.class)
    void outOfMemory(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.builder()
                        .option("maxmemory-policy", "noeviction")
                        .start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            Lease held = keyhold.lock("held")
                    .with(options -> options.lease(Duration.ofSeconds(20)))
                    .acquire();
            console.ask("CONFIG", "SET", "maxmemory", "1");
            refused(keyhold, "OOM");
            assertThat(console.text("EXISTS", KEY)).isEqualTo("0");
            if (setup.commands() == CommandStyle.SCRIPTS || executesTransaction(server)) {
                assertThat(held.extend(Duration.ofSeconds(30)))
                        .as("renewal needs no memory")
                        .isTrue();
                assertThat(held.release()).isTrue();
            } else {
                assertThatThrownBy(held::release)
                        .isInstanceOf(StoreRefusedException.class)
                        .hasMessageContaining("OOM");
            }
        }
    }

    /** Whether this server, which is short of memory, still executes a transaction that needs none: docs/guarantees.md. */
    private static boolean executesTransaction(EmbeddedRedis server) {
        try (RedisDriver driver = JedisDriver.open(RedisUri.parse(withLongTimeouts(server.uri())))) {
            return driver.withSession(
                            CallMode.BLOCKING,
                            session -> session.transaction(List.of(RedisCall.of("DEL", "no-such-key"))))
                    .handle((replies, failure) -> failure == null)
                    .toCompletableFuture()
                    .join();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void replica(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            console.ask("REPLICAOF", "127.0.0.1", "1");
            refused(keyhold, "READONLY").hasMessageContaining("connect to its master");
            console.ask("REPLICAOF", "NO", "ONE");
            assertThat(keyhold.lock(KEY).acquire().release()).isTrue();
        }
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(Setup.class)
    void loading(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.builder()
                        .option("key-load-delay", LOAD_DELAY_MICROS)
                        .option("rdbcompression", "no")
                        .startTimeout(Duration.ofMinutes(1))
                        .start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            console.ask("EVAL", DATA, "0");
            console.ask("SAVE");
            server.kill();
            CompletableFuture<Void> restart = CompletableFuture.runAsync(server::restart);
            String words = "";
            while (!words.contains("LOADING") && !restart.isDone()) {
                try {
                    keyhold.lock(KEY).tryAcquire().ifPresent(Lease::close);
                } catch (StoreUnavailableException away) {
                    // It is not up yet.
                } catch (StoreRefusedException e) {
                    assertThat(e.code()).isEqualTo("LOADING");
                    words = String.valueOf(e.getMessage());
                }
            }
            try (Console afterwards = new Console(server.uri())) {
                afterwards.ask("CONFIG", "SET", "key-load-delay", "0");
            } catch (CompletionException refused) {
                // Redis 6.2 refuses this during loading, and loads for its half minute.
                assertThat(refused).hasMessageContaining("Only CONFIG GET is allowed during loading");
            }
            assertThat(words).contains("LOADING", "127.0.0.1:" + server.port());
            restart.get(60, TimeUnit.SECONDS);
            assertThat(keyhold.lock(KEY).acquire().release()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void passwordMissingOrWrong(Setup setup) {
        try (EmbeddedRedis server =
                EmbeddedRedis.builder().option("requirepass", "s3cr3t").start()) {
            try (Keyhold keyhold = setup.client(server.uri()).build()) {
                refused(keyhold, "NOAUTH").hasMessageContaining("put the password into the URI");
            }
            String wrong = "redis://:wr0ng@127.0.0.1:" + server.port();
            try (Keyhold keyhold = setup.client(wrong).build()) {
                refused(keyhold, "WRONGPASS").hasMessageNotContaining("wr0ng");
            }
            String right = "redis://:s3cr3t@127.0.0.1:" + server.port() + "/3";
            try (Keyhold keyhold = setup.client(right).build()) {
                assertThat(keyhold.lock(KEY).tryAcquire()).isPresent();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void keyNotPermitted(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            console.ask("ACL", "SETUSER", "app", "on", ">pw", "~billing:*", "~{billing:*", "~{*}:kh:fence", "+@all");
            String uri = "redis://app:pw@127.0.0.1:" + server.port();
            try (Keyhold keyhold = setup.client(uri).build()) {
                refused(keyhold, "NOPERM").hasMessageContaining("docs/keys.md");
                assertThat(keyhold.lock("billing:1").acquire().release()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void documentedPermissionsSuffice(Setup setup) throws Exception {
        Path page = Path.of(System.getProperty("keyhold.root"), "docs", "keys.md");
        String line = Files.readAllLines(page).stream()
                .filter(text -> text.startsWith("ACL SETUSER app "))
                .findFirst()
                .orElseThrow();
        String[] words = line.split(" ", -1);
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            console.ask(words[0], Arrays.copyOfRange(words, 1, words.length));
            String uri = "redis://app:password@127.0.0.1:" + server.port();
            try (Keyhold keyhold = setup.client(uri).build();
                    Keyhold other = setup.client(uri).build()) {
                Lease first = other.lock(KEY).acquire();
                CompletableFuture<Lease> waiting = keyhold.lock(KEY).acquireAsync();
                assertThat(first.release()).isTrue();
                Lease lease = waiting.get(30, TimeUnit.SECONDS);
                assertThat(lease.extend(Duration.ofMinutes(1))).isTrue();
                assertThat(keyhold.lock(KEY).isLocked()).isTrue();
                assertThat(keyhold.inspect().list("*")).hasSize(1);
                assertThat(lease.release()).isTrue();
                assertThat(keyhold.inspect().forceRelease(KEY)).isFalse();
                for (String braces : List.of("invoice:{42}:copy", "invoice:}", "{invoice:42}")) {
                    assertThat(keyhold.lock(braces).acquire().release()).isTrue();
                }
            }
        }
    }

    /** On Redis 7, a user whose ACL does not mention channels may use none. */
    @ParameterizedTest
    @EnumSource(Setup.class)
    void forbiddenChannelsMakeWaitersPoll(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            console.ask("ACL", "SETUSER", "app", "on", ">pw", "resetchannels", "~*", "+@all");
            String uri = "redis://app:pw@127.0.0.1:" + server.port();
            try (Keyhold first = setup.client(uri).build();
                    Keyhold second = setup.client(uri).build()) {
                Lease held = first.lock(KEY).acquire();
                CompletableFuture<Lease> waiting = second.lock(KEY).acquireAsync();
                held.release();
                assertThat(waiting.get(30, TimeUnit.SECONDS).release()).isTrue();
                assertThat(console.text("EXISTS", "{" + KEY + "}:kh:queue")).isEqualTo("0");
            }
        }
    }

    @Test
    void forbiddenScriptsErrorNamesWorkingRemedy() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            console.ask("ACL", "SETUSER", "app", "on", ">pw", "~*", "+@all", "-@scripting");
            String uri = "redis://app:pw@127.0.0.1:" + server.port();
            try (Keyhold scripts = Setup.JEDIS_SCRIPTS.client(uri).build();
                    Keyhold transactions = Setup.JEDIS_TRANSACTIONS.client(uri).build()) {
                refused(scripts, "NOPERM").hasMessageContaining("CommandStyle.TRANSACTIONS");
                assertThat(transactions.lock(KEY).acquire().release()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void busyWithScriptOfAnotherClient(Setup setup) throws Exception {
        try (EmbeddedRedis server =
                        EmbeddedRedis.builder().option("lua-time-limit", "50").start();
                Console console = new Console(server.uri());
                Console other = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            keyhold.lock("warm").acquire().release();
            CompletableFuture<Object> endless =
                    CompletableFuture.supplyAsync(() -> String.valueOf(other.ask("EVAL", "while true do end", "0")));
            String words = "";
            while (!words.contains("BUSY")) {
                try {
                    keyhold.lock(KEY).tryAcquire().ifPresent(Lease::close);
                } catch (StoreUnavailableException silent) {
                    // The script has run for less than lua-time-limit.
                } catch (StoreRefusedException e) {
                    assertThat(e.code()).isEqualTo("BUSY");
                    words = String.valueOf(e.getMessage());
                }
            }
            assertThat(words).contains("a script of another client runs for too long");
            console.ask("SCRIPT", "KILL");
            assertThat(endless).failsWithin(Duration.ofSeconds(20));
            assertThat(keyhold.lock(KEY).acquire().release()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void wrongPort(Setup setup) {
        try (Keyhold keyhold = setup.client("redis://127.0.0.1:1").build()) {
            assertThatThrownBy(() -> keyhold.lock(KEY).acquire())
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            down -> assertThat(down.outcomeUnknown()).isFalse())
                    .hasMessageContainingAll(
                            "cannot acquire lock 'invoice:42'", "Redis at 127.0.0.1:1 is not reachable");
        }
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(Keyhold keyhold, String code) {
        return assertThatThrownBy(() -> keyhold.lock(KEY).acquire())
                .isInstanceOfSatisfying(
                        StoreRefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code))
                .hasMessageContainingAll("cannot acquire lock '" + KEY + "'", "127.0.0.1:", code);
    }
}
