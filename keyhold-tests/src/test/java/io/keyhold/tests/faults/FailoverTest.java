package io.keyhold.tests.faults;

import static io.keyhold.tests.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedLock;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A failover behind an address that stays the same, with connections to the demoted server left open. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class FailoverTest {

    private static final String KEY = "invoice:42";

    private static final String QUEUE = "{invoice:42}:kh:queue";

    /** Longer than the failover takes on a busy machine. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** The second server becomes the master, with all data of the first. */
    private static void failOver(Console first, EmbeddedRedis second, Console console, TcpProxy address) {
        copyAndPromote(first, console);
        demote(first, second, address);
    }

    private static void copyAndPromote(Console first, Console second) {
        await(() -> second.text("INFO", "replication").contains("master_link_status:up"));
        first.ask("PING"); // WAIT covers what was written before the last command of its own connection, and no more.
        first.ask("WAIT", "1", "0");
        second.ask("REPLICAOF", "NO", "ONE");
    }

    private static void demote(Console first, EmbeddedRedis second, TcpProxy address) {
        first.ask("REPLICAOF", "127.0.0.1", String.valueOf(second.port()));
        address.redirect(second.host(), second.port());
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void clientOfDemotedServerFindsNewMaster(Setup setup) throws Exception {
        try (EmbeddedRedis first = EmbeddedRedis.start();
                EmbeddedRedis second = EmbeddedRedis.start();
                Console firstConsole = new Console(first.uri());
                Console secondConsole = new Console(second.uri());
                TcpProxy address = TcpProxy.to(first.host(), first.port());
                Keyhold keyhold = setup.client(address.uri()).build()) {
            secondConsole.ask("REPLICAOF", "127.0.0.1", String.valueOf(first.port()));
            keyhold.lock(KEY).acquire().release();
            failOver(firstConsole, second, secondConsole, address);
            Lease lease =
                    keyhold.lock(KEY).with(options -> options.lease(LEASE)).acquire();
            assertThat(secondConsole.text("EXISTS", KEY)).isEqualTo("1");
            assertThat(lease.release()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void waiterIsServedByNewMaster(Setup setup) throws Exception {
        try (EmbeddedRedis first = EmbeddedRedis.start();
                EmbeddedRedis second = EmbeddedRedis.start();
                Console firstConsole = new Console(first.uri());
                Console secondConsole = new Console(second.uri());
                TcpProxy address = TcpProxy.to(first.host(), first.port());
                Keyhold holder = setup.client(address.uri()).build();
                Keyhold keyhold = setup.client(address.uri()).build()) {
            secondConsole.ask("REPLICAOF", "127.0.0.1", String.valueOf(first.port()));
            Lease held = holder.lock(KEY).with(options -> options.lease(LEASE)).acquire();
            CompletableFuture<Lease> waiting =
                    keyhold.lock(KEY).with(options -> options.lease(LEASE)).acquireAsync();
            await(() -> holder.inspect().lock(KEY).waiterCount() == 1);
            failOver(firstConsole, second, secondConsole, address);
            assertThat(held.release()).isTrue();
            Lease lease = waiting.get(2, TimeUnit.MINUTES);
            assertThat(secondConsole.text("GET", KEY)).startsWith(lease.token() + " ");
            assertThat(lease.release()).isTrue();
        }
    }

    /** The promoted replica has the entry of a request that ended on the former master, and whose client waits for the lock again. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void lockIsNotHandedOverToRequestThatEndedOnFormerMaster(Setup setup) throws Exception {
        try (EmbeddedRedis first = EmbeddedRedis.start();
                EmbeddedRedis second = EmbeddedRedis.start();
                Console firstConsole = new Console(first.uri());
                Console secondConsole = new Console(second.uri());
                TcpProxy address = TcpProxy.to(first.host(), first.port());
                Keyhold holder = setup.client(address.uri()).build();
                Keyhold keyhold = setup.client(address.uri()).build()) {
            secondConsole.ask("REPLICAOF", "127.0.0.1", String.valueOf(first.port()));
            Lease held = lockWithLongLease(holder).acquire();
            CompletableFuture<Lease> ended = lockWithLongLease(keyhold).acquireAsync();
            new ServerQueue(firstConsole, KEY).await(1);
            copyAndPromote(firstConsole, secondConsole);
            ended.cancel(true);
            new ServerQueue(firstConsole, KEY).await(0);
            demote(firstConsole, second, address);
            CompletableFuture<Lease> waiting = lockWithLongLease(keyhold).acquireAsync();
            String info = secondConsole.text("INFO", "replication");
            String incarnation =
                    info.substring(info.indexOf("master_replid:") + 14).substring(0, 8);
            await(() -> secondConsole.text("LRANGE", QUEUE, "0", "-1").contains(":" + incarnation + " "));
            assertThat(held.release()).isTrue();
            assertThat(waiting.get(2, TimeUnit.MINUTES).release()).isTrue();
        }
    }

    /** The same, if the client holds the lock itself: the reply of its release would carry the grant. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void releaseDoesNotHandOverToRequestThatEndedOnFormerMaster(Setup setup) throws Exception {
        try (EmbeddedRedis first = EmbeddedRedis.start();
                EmbeddedRedis second = EmbeddedRedis.start();
                Console firstConsole = new Console(first.uri());
                Console secondConsole = new Console(second.uri());
                TcpProxy address = TcpProxy.to(first.host(), first.port());
                Keyhold keyhold = setup.client(address.uri()).build()) {
            secondConsole.ask("REPLICAOF", "127.0.0.1", String.valueOf(first.port()));
            DistributedLock lock = lockWithLongLease(keyhold).with(options -> options.fairness(Fairness.STRICT));
            Lease held = lock.acquire();
            CompletableFuture<Lease> ended = lock.acquireAsync();
            new ServerQueue(firstConsole, KEY).await(1);
            copyAndPromote(firstConsole, secondConsole);
            ended.cancel(true);
            new ServerQueue(firstConsole, KEY).await(0);
            CompletableFuture<Lease> waiting = lock.acquireAsync();
            new ServerQueue(firstConsole, KEY).await(1);
            demote(firstConsole, second, address);
            assertThat(held.release()).isTrue();
            assertThat(waiting.get(2, TimeUnit.MINUTES).release()).isTrue();
        }
    }

    private static DistributedLock lockWithLongLease(Keyhold keyhold) {
        return keyhold.lock(KEY).with(options -> options.lease(Duration.ofMinutes(10)));
    }
}
