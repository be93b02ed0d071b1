package io.keyhold.tests.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which waiter is granted a lock, and which one only seems to receive a grant. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class GrantChannelTest {

    private static final String KEY = "invoice:42";
    /** Longer than every pause of the machine. */
    private static final Duration LONG = Duration.ofMinutes(5);

    static Stream<Arguments> kinds() {
        return Stream.of(Setup.JEDIS_SCRIPTS, Setup.LETTUCE_SCRIPTS)
                .flatMap(setup -> Stream.of(Kind.values()).map(kind -> Arguments.of(setup, kind)));
    }

    /** PUBLISH is replicated: a waiter whose channel stayed on a demoted master hears what the new one publishes. */
    @ParameterizedTest
    @MethodSource("kinds")
    void messageHeardOnReplicaIsNoGrant(Setup setup, Kind kind) throws Exception {
        try (EmbeddedRedis first = EmbeddedRedis.start();
                EmbeddedRedis second = EmbeddedRedis.start();
                Console onFirst = new Console(first.uri());
                Console onSecond = new Console(second.uri());
                TcpProxy address = TcpProxy.to(first.host(), first.port());
                Keyhold holder = setup.client(address.uri()).build();
                Keyhold waiter = setup.client(address.uri()).build()) {
            replicate(onSecond, first);
            Lease held = kind.acquire(holder, KEY, LONG);
            CompletableFuture<Lease> waiting = kind.acquireAsync(waiter, KEY, LONG);
            awaitLength(onSecond, kind, 1);

            address.redirect(second.host(), second.port());
            onSecond.ask("REPLICAOF", "NO", "ONE");
            replicate(onFirst, second);
            onFirst.ask("CLIENT", "KILL", "TYPE", "normal");
            assertThat(onFirst.text("PUBSUB", "CHANNELS"))
                    .as("the grant channel is still on the demoted server")
                    .contains("keyhold:grants:");

            assertThat(held.release()).isTrue();
            Lease granted = waiting.get(60, TimeUnit.SECONDS);
            assertThat(granted.isHeldOnServer())
                    .as("the new master has the hold that the waiter was told of")
                    .isTrue();
            assertThat(granted.release()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void patternSubscriberKeepsNoDeadWaiterAlive(Setup setup, Kind kind) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Socket monitor = new Socket(InetAddress.getLoopbackAddress(), server.port());
                Keyhold holder = setup.client(server.uri()).build();
                Keyhold waiter = setup.client(server.uri()).build()) {
            monitor.getOutputStream().write("PSUBSCRIBE *\r\n".getBytes(US_ASCII));
            assertThat(monitor.getInputStream().read()).isEqualTo('*');
            Lease held = kind.acquire(holder, KEY, LONG);
            console.ask("RPUSH", kind.queue(KEY), entry("dead-1"), entry("dead-2"));
            CompletableFuture<Lease> waiting = kind.acquireAsync(waiter, KEY, LONG);
            awaitLength(console, kind, 3);

            assertThat(held.release()).isTrue();
            Lease granted = waiting.get(60, TimeUnit.SECONDS);
            assertThat(granted.isHeldOnServer()).isTrue();
            assertThat(granted.release()).isTrue();
        }
    }

    /** As of a process that has died, with a lease that outlasts the test. */
    private static String entry(String name) {
        return "keyhold:grants:" + name + " 1 " + LONG.toMillis() + " 0 1 " + name + "@host:1:0.1";
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void stoppedClientIsGrantedOnce(Setup setup, Kind kind) throws Exception {
        int waiters = kind == Kind.BATCHED ? 1 : 5; // Waiters of one batch share one entry.
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                TcpProxy line = TcpProxy.to(server.host(), server.port());
                Keyhold holder = setup.client(server.uri()).build();
                Keyhold stopped = setup.client(line.uri()).build();
                Keyhold next = setup.client(server.uri()).build()) {
            Lease held = kind.acquire(holder, KEY, LONG);
            List<CompletableFuture<Lease>> theirs = new ArrayList<>();
            for (int i = 1; i <= waiters; i++) {
                theirs.add(kind.acquireAsync(stopped, KEY, Duration.ofMillis(300)));
                awaitLength(console, kind, i);
            }
            CompletableFuture<Lease> waiting = kind.acquireAsync(next, KEY, LONG);
            awaitLength(console, kind, waiters + 1);

            line.swallowRequests();
            line.swallowReplies();
            assertThat(held.release()).isTrue();
            Lease granted = waiting.get(60, TimeUnit.SECONDS);
            assertThat(length(console, kind))
                    .as("the waiters of the stopped client are still queued")
                    .isEqualTo(waiters - 1);
            theirs.forEach(request -> request.cancel(true));
            line.heal();
            line.cut();
            assertThat(granted.release()).isTrue();
        }
    }

    private static void replicate(Console replica, EmbeddedRedis master) {
        replica.ask("REPLICAOF", master.host(), Integer.toString(master.port()));
        while (!replica.text("INFO", "replication").contains("master_link_status:up")) {
            Thread.onSpinWait();
        }
    }

    private static void awaitLength(Console console, Kind kind, int expected) {
        while (length(console, kind) != expected) {
            Thread.onSpinWait();
        }
    }

    private static int length(Console console, Kind kind) {
        return Integer.parseInt(console.text("LLEN", kind.queue(KEY)));
    }
}
