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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
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

    private final EmbeddedRedis first = EmbeddedRedis.start();
    private final EmbeddedRedis second = EmbeddedRedis.start();
    private final Console onFirst = new Console(first.uri());
    private final Console onSecond = new Console(second.uri());
    private final TcpProxy address = TcpProxy.to(first.host(), first.port());
    private final List<Keyhold> clients = new ArrayList<>();

    FailoverTest() {
        onSecond.ask("REPLICAOF", "127.0.0.1", String.valueOf(first.port()));
    }

    @AfterEach
    void close() {
        clients.forEach(Keyhold::close);
        address.close();
        onFirst.close();
        onSecond.close();
        first.close();
        second.close();
    }

    private DistributedLock lock(Setup setup, Duration lease) {
        Keyhold client = setup.client(address.uri()).build();
        clients.add(client);
        return client.lock(KEY).with(options -> options.lease(lease));
    }

    /** The second server becomes the master, with all data of the first. */
    private void failOver() {
        copyAndPromote();
        demote();
    }

    private void copyAndPromote() {
        await(() -> onSecond.text("INFO", "replication").contains("master_link_status:up"));
        onFirst.ask("PING"); // WAIT covers what was written before the last command of its own connection, and no more.
        onFirst.ask("WAIT", "1", "0");
        onSecond.ask("REPLICAOF", "NO", "ONE");
    }

    private void demote() {
        onFirst.ask("REPLICAOF", "127.0.0.1", String.valueOf(second.port()));
        address.redirect(second.host(), second.port());
    }

    /** The second server becomes the master, and has the entry of a request that ends on the first one after that. */
    private void copyAndPromoteBeforeEnd(CompletableFuture<Lease> request) throws InterruptedException {
        ServerQueue queue = new ServerQueue(onFirst, KEY);
        queue.await(1);
        copyAndPromote();
        request.cancel(true);
        queue.await(0);
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void clientOfDemotedServerFindsNewMaster(Setup setup) throws Exception {
        DistributedLock lock = lock(setup, LEASE);
        lock.acquire().release();
        failOver();
        Lease lease = lock.acquire();
        assertThat(onSecond.text("EXISTS", KEY)).isEqualTo("1");
        assertThat(lease.release()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void waiterIsServedByNewMaster(Setup setup) throws Exception {
        Lease held = lock(setup, LEASE).acquire();
        CompletableFuture<Lease> waiting = lock(setup, LEASE).acquireAsync();
        new ServerQueue(onFirst, KEY).await(1);
        failOver();
        assertThat(held.release()).isTrue();
        Lease lease = waiting.get(2, TimeUnit.MINUTES);
        assertThat(onSecond.text("GET", KEY)).startsWith(lease.token() + " ");
        assertThat(lease.release()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void lockIsNotHandedOverToRequestThatEndedOnFormerMaster(Setup setup) throws Exception {
        Lease held = lock(setup, Duration.ofMinutes(10)).acquire();
        DistributedLock lock = lock(setup, Duration.ofMinutes(10));
        copyAndPromoteBeforeEnd(lock.acquireAsync());
        demote();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        String info = onSecond.text("INFO", "replication");
        String incarnation = info.substring(info.indexOf("master_replid:") + 14).substring(0, 8);
        await(() -> onSecond.text("LRANGE", QUEUE, "0", "-1").contains(":" + incarnation + " "));
        assertThat(held.release()).isTrue();
        assertThat(waiting.get(2, TimeUnit.MINUTES).release()).isTrue();
    }

    /** The reply of the client's own release would carry the grant. */
    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void releaseDoesNotHandOverToRequestThatEndedOnFormerMaster(Setup setup) throws Exception {
        DistributedLock lock = lock(setup, Duration.ofMinutes(10)).with(options -> options.fairness(Fairness.STRICT));
        Lease held = lock.acquire();
        copyAndPromoteBeforeEnd(lock.acquireAsync());
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        new ServerQueue(onFirst, KEY).await(1);
        demote();
        assertThat(held.release()).isTrue();
        assertThat(waiting.get(2, TimeUnit.MINUTES).release()).isTrue();
    }
}
