package io.keyhold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.QuorumOptions;
import io.keyhold.cli.view.StrictJson;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisCall;
import io.keyhold.spi.RedisDriver;
import io.keyhold.spi.RedisUri;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code keyhold ls} and {@code keyhold show} without a terminal. */
@EndToEnd
@Execution(ExecutionMode.CONCURRENT)
final class InspectionTest {

    private static final long PID = ProcessHandle.current().pid();

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private final Keyhold keyhold = client();
    private final Keyhold other = client();

    @TempDir
    private Path home = Path.of("");

    private Launcher command = Launcher.in(home);

    private Keyhold client() {
        return Keyhold.builder()
                .uri(LongTimeouts.of(server.uri()))
                .clientName("billing")
                .build();
    }

    @BeforeEach
    void connect() {
        command = Launcher.in(home).on(server.uri());
    }

    @AfterEach
    void close() {
        other.close();
        keyhold.close();
        server.close();
    }

    private static void send(String uri, String name, String... arguments) {
        try (RedisDriver driver = JedisDriver.open(RedisUri.parse(LongTimeouts.of(uri)))) {
            driver.call(RedisCall.of(name, arguments), CallMode.BLOCKING)
                    .toCompletableFuture()
                    .join();
        }
    }

    @Test
    void listsOneRowPerHold() throws InterruptedException {
        String longKey = "long:" + "x".repeat(200);
        keyhold.lock(longKey).acquire();
        keyhold.lock("endless", LockOptions.builder().noExpiry().build()).acquire();
        keyhold.semaphore("gpu", 4).acquire(2);
        keyhold.semaphore("gpu", 4).acquire();
        keyhold.readWriteLock("catalog").readLock().acquire();
        send(server.uri(), "SET", "shared", "made by \u001b another", "PX", "60000");
        CompletableFuture<Lease> waiter = other.lock(longKey).acquireAsync();
        while (keyhold.inspect().lock(longKey).waiterCount() == 0) {
            Thread.onSpinWait();
        }

        Launcher.Result result = command.run("ls");
        waiter.cancel(true);

        assertThat(result.error()).isEmpty();
        assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
        List<List<String>> rows = result.output()
                .lines()
                .map(line -> List.of(line.strip().split(" {2,}", -1)))
                .toList();
        assertThat(rows).hasSize(6);
        assertThat(rows.get(0)).containsExactly("KEY", "KIND", "HOLDER", "LABEL", "HELD FOR", "EXPIRES IN", "WAITERS");
        assertThat(rows.get(1)).startsWith("catalog", "read").contains("billing");
        assertThat(rows.get(2)).startsWith("endless", "lock").contains("never");
        assertThat(rows.get(3).subList(0, 2)).containsExactly("gpu", "semaphore 3/4");
        assertThat(rows.get(4).subList(0, 2)).containsExactly("gpu", "semaphore 3/4");
        assertThat(List.of(rows.get(3).get(2), rows.get(4).get(2)))
                .anyMatch(holder -> holder.endsWith(":" + PID + " x2"))
                .anyMatch(holder -> holder.endsWith(":" + PID));
        assertThat(rows.get(5)).startsWith(longKey, "lock").endsWith("1");
        // A foreign lock looks like any other string, so only show finds it.
        assertThat(command.run("show", "shared").output()).contains("made by \\u001b another");
    }

    @Test
    void listsMatchingLocksAsJson() throws InterruptedException {
        Lease lease = keyhold.lock("invoice:\"42\"").tryAcquire().orElseThrow();
        keyhold.lock("other").acquire();
        Launcher.Result result = command.run("ls", "--json", "invoice:*");
        JsonArray locks = StrictJson.read(result.output()).getAsJsonArray();
        assertThat(locks).hasSize(1);
        JsonObject lock = locks.get(0).getAsJsonObject();
        assertThat(lock.get("key").getAsString()).isEqualTo("invoice:\"42\"");
        JsonObject holder = lock.getAsJsonArray("holders").get(0).getAsJsonObject();
        assertThat(holder.get("token").getAsString()).isEqualTo(lease.token());
        assertThat(holder.get("fencingToken").getAsLong()).isEqualTo(lease.fencingToken());
        assertThat(holder.get("clientName").getAsString()).isEqualTo("billing");
        assertThat(holder.get("processId").getAsLong()).isEqualTo(PID);
        assertThat(holder.get("remainingMillis").getAsLong()).isBetween(1L, 30_000L);
        assertThat(holder.get("foreign").getAsBoolean()).isFalse();
    }

    @Test
    @Tag("full")
    void watchInAPipeEndsWithItsReader() throws InterruptedException {
        keyhold.lock("watched").acquire();
        Launcher.Result table =
                command.bash("\"$KEYHOLD\" ls --watch --interval 50ms | head -n 9; echo ${PIPESTATUS[0]}");
        List<String> lines = table.output().lines().toList();
        assertThat(lines).hasSize(10).last().isEqualTo("0");
        for (int block = 0; block < 9; block += 3) {
            assertThat(lines.get(block)).startsWith("KEY ");
            assertThat(lines.get(block + 1)).startsWith("watched ");
            assertThat(lines.get(block + 2)).isEmpty();
        }
        assertThat(table.output()).doesNotContain("\u001b");
        Launcher.Result json = command.bash("\"$KEYHOLD\" ls -w --json --interval 50ms | head -n 2");
        assertThat(json.output().lines())
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(StrictJson.read(line).getAsJsonArray()).hasSize(1));
    }

    @Test
    void tooShortIntervalIsRefused() {
        assertThat(command.run("ls", "--watch", "--interval", "1ms"))
                .isEqualTo(new Launcher.Result(
                        ExitCode.USAGE, "", "keyhold: --interval must be at least 50ms, was 1ms\n"));
    }

    @Test
    void showsHolderAndQueue() {
        Lease lease = keyhold.lock("invoice:42").tryAcquire().orElseThrow();
        CompletableFuture<Lease> waiter = other.lock("invoice:42").acquireAsync();
        while (keyhold.inspect().lock("invoice:42").waiterCount() == 0) {
            Thread.onSpinWait();
        }
        Launcher.Result page = command.run("show", "invoice:42");
        waiter.cancel(true);
        assertThat(page.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(page.output())
                .contains("key       invoice:42\n", "kind      lock\n", "holders   1\n")
                .contains("  token     " + lease.token() + "\n", "  fence     " + lease.fencingToken() + "\n")
                .contains("  label     billing\n", "queue     1 waiter\n");
    }

    /** Sets grant and expiry into the server's future, as if its clock had been set back. */
    @Test
    @Tag("full")
    void showsLateExpiry() {
        LockOptions untouched =
                LockOptions.builder().lease(Duration.ofMinutes(1)).renew(false).build();
        Lease lease = keyhold.lock("late", untouched).tryAcquire().orElseThrow();
        assertThat(command.run("show", "late").output()).doesNotContain("warning");
        long granted = (System.currentTimeMillis() + 3_600_000) * 1_000;
        String value = lease.token() + " " + lease.fencingToken() + " " + granted;
        send(server.uri(), "SET", "late", value, "KEEPTTL");
        assertThat(command.run("show", "late").output()).doesNotContain("warning");
        send(server.uri(), "PEXPIRE", "late", "3660000");
        Launcher.Result page = command.run("show", "late");
        assertThat(page.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(page.output())
                .containsPattern("  warning   ends \\S+ too late or more, because the server's clock was set back");
    }

    @Test
    void showsFreeLock() {
        Launcher.Result page = command.run("show", "nothing");
        assertThat(page.exitCode()).isEqualTo(ExitCode.NO);
        assertThat(page.output()).contains("holders   none\n", "queue     no waiters\n");
        JsonObject object = StrictJson.read(
                        command.run("show", "--json", "nothing").output())
                .getAsJsonObject();
        assertThat(object.keySet())
                .containsExactly(
                        "key",
                        "kind",
                        "held",
                        "holderCount",
                        "permits",
                        "availablePermits",
                        "holders",
                        "waiterCount",
                        "queue",
                        "disputed",
                        "nodes",
                        "quorum");
        assertThat(object.get("held").getAsBoolean()).isFalse();
        assertThat(object.get("quorum").isJsonNull()).isTrue();
    }

    @Test
    @Tag("full")
    void showsWhatEachNodeSees() {
        // A renewal would restore the lock on the third node.
        LockOptions untouched =
                LockOptions.builder().lease(Duration.ofMinutes(1)).renew(false).build();
        try (EmbeddedRedis second = EmbeddedRedis.start();
                EmbeddedRedis third = EmbeddedRedis.start();
                Keyhold quorum = Keyhold.builder()
                        .quorum(
                                List.of(LongTimeouts.each(server.uri(), second.uri(), third.uri())),
                                QuorumOptions.builder().admitFreshNodes(true).build())
                        .clientName("voter")
                        .build();
                Lease lease = quorum.lock("elected", untouched).tryAcquire().orElseThrow()) {
            // A majority is enough to acquire. Wait for the last node, which would otherwise grant after the DEL.
            while (quorum.inspect().lock("elected").nodes().stream()
                    .anyMatch(node -> node.holder().isEmpty())) {
                Thread.onSpinWait();
            }
            send(third.uri(), "DEL", "elected");
            Launcher.Result page = command.on(server.uri() + "," + second.uri() + "," + third.uri())
                    .run("show", "elected");
            assertThat(page.exitCode()).as(page.toString()).isEqualTo(ExitCode.OK);
            assertThat(page.output())
                    .contains("disputed  ", "quorum    3 of 3 nodes can vote\n", "  token     " + lease.token())
                    .containsPattern("127.0.0.1:" + second.port() + " +yes +\\S+:" + PID + " +" + lease.fencingToken())
                    .containsPattern("127.0.0.1:" + third.port() + " +yes +none");
            JsonObject object = StrictJson.read(
                            command.run("show", "--json", "elected").output())
                    .getAsJsonObject();
            assertThat(object.get("disputed").getAsBoolean()).isTrue();
            assertThat(object.getAsJsonArray("nodes"))
                    .hasSize(3)
                    .allSatisfy(node ->
                            assertThat(node.getAsJsonObject().keySet()).containsExactly("address", "holder", "error"));
            JsonObject votes = object.getAsJsonObject("quorum");
            assertThat(votes.get("hasQuorum").getAsBoolean()).isTrue();
            assertThat(votes.getAsJsonArray("nodes"))
                    .hasSize(3)
                    .allSatisfy(node -> assertThat(node.getAsJsonObject().keySet())
                            .containsExactly("address", "canVote", "quarantineMillis", "error"));
        }
    }

    @Test
    void unreachableServer() {
        Launcher.Result result = command.on("redis://127.0.0.1:1").run("ls", "--json");
        assertThat(result.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(result.output()).isEmpty();
        assertThat(result.error().lines()).hasSize(1);
    }
}
