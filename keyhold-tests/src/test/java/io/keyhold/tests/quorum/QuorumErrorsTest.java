package io.keyhold.tests.quorum;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static io.keyhold.tests.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.StoreUnavailableException;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.tests.FencingCounter;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors say more than "no quorum". */
@Tag("full")
class QuorumErrorsTest {

    private static final String KEY = "invoice:42";

    @Test
    void errorNamesVoteOfEachNode() throws Exception {
        undisturbed(() -> {
            try (Nodes nodes = Nodes.start(5);
                    Keyhold keyhold = nodes.client(
                                    options -> options.nodeTimeout(Nodes.HASTY).admitFreshNodes(false))
                            .build()) {
                nodes.admit();
                DistributedLock lock = keyhold.lock(
                        KEY, LockOptions.builder().lease(Nodes.SOON_OVER).build());
                lock.acquire().release();
                await(() -> nodes.knowing(FencingCounter.of(KEY)).size() == 5
                        && nodes.knowing(KEY).isEmpty());
                nodes.ask(1, "SET", KEY, "other-client", "PX", "60000");
                nodes.server(2).kill();
                nodes.server(3).restart();
                nodes.server(4).pause();
                assertThatThrownBy(lock::acquire)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageStartingWith("cannot acquire lock '" + KEY + "': no quorum: ")
                        .hasMessageContainingAll(
                                nodes.address(0) + " granted",
                                nodes.address(1) + " busy, held by other-client for ",
                                nodes.address(2) + " failed: ",
                                nodes.address(3) + " quarantined for another ",
                                nodes.address(4) + " no reply within 2 s");
                nodes.server(4).resume();
                for (int granted : List.of(0, 4)) {
                    await(() -> nodes.ask(granted, "EXISTS", KEY).equals("0"));
                }
            }
        });
    }

    /** With the third server away, the two names of the first would be a majority. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void sameServerTwiceIsRefused(String driver) throws Exception {
        try (Nodes nodes = Nodes.start(2);
                TcpProxy proxy = TcpProxy.to("127.0.0.1", nodes.server(0).port())) {
            String away = nodes.server(1).uri();
            nodes.server(1).kill();
            String server = nodes.server(0).uri();
            String localhost = server.replace("127.0.0.1", "localhost");
            for (String name : List.of(proxy.uri(), localhost)) {
                List<String> uris = Stream.of(server, name, away)
                        .map(uri -> withLongTimeouts(uri + "?driver=" + driver))
                        .toList();
                try (Keyhold keyhold =
                        Keyhold.builder().quorum(uris, Nodes.PATIENTLY).build()) {
                    String host = name.equals(localhost) ? "localhost:" : "127.0.0.1:";
                    assertThatThrownBy(() -> keyhold.lock(KEY).acquire())
                            .isInstanceOf(StoreUnavailableException.class)
                            .hasMessageContainingAll("are the same server", nodes.address(0), host);
                    await(() -> nodes.ask(0, "EXISTS", KEY).equals("0"));
                }
            }
        }
    }

    @Test
    void timeoutNamesHolderOnEachNode() throws Exception {
        try (Nodes nodes = Nodes.start(3);
                Keyhold holder = nodes.client().clientName("billing").build();
                Keyhold other = nodes.client().build()) {
            Lease lease = lock(holder).acquire();
            await(() -> nodes.knowing(KEY).size() == 3);
            nodes.server(0).kill();
            assertThatThrownBy(() -> lock(other)
                            .with(options -> options.maxWait(Duration.ofMillis(100)))
                            .acquire())
                    .isInstanceOf(AcquireTimeoutException.class)
                    .hasMessageContainingAll(
                            "held by billing@",
                            nodes.address(1) + " busy, held by " + lease.token() + " for ",
                            nodes.address(2) + " busy, held by " + lease.token() + " for ");
        }
    }

    @Test
    void unknownHoldNamesSilentNodes() throws Exception {
        try (Nodes nodes = Nodes.start(3);
                Keyhold keyhold = nodes.client().build()) {
            Lease lease = lock(keyhold).acquire();
            nodes.server(0).kill();
            nodes.server(1).kill();
            String[] said = {
                "too few nodes replied for lock '" + KEY + "'",
                nodes.address(0) + " failed: ",
                nodes.address(1) + " failed: "
            };
            assertThatThrownBy(lease::isHeldOnServer)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll(said);
            assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(2)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll(said);
            assertThat(lease.isHeld())
                    .as("a lease that cannot be extended ends when it is due")
                    .isTrue();
            assertThatThrownBy(lease::release)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll(said);
        }
    }

    @Test
    void fewerThanThreeNodesLogsWarning() {
        Logger logger = Logger.getLogger("io.keyhold");
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                lines.add(record.getLevel() + " " + MessageFormat.format(record.getMessage(), record.getParameters()));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.setLevel(Level.INFO);
        logger.addHandler(handler);
        try {
            quorum(3).close();
            assertThat(lines).noneMatch(line -> line.contains("a quorum of"));
            quorum(1).close();
            quorum(2).close();
            assertThat(lines)
                    .anyMatch(line -> line.startsWith("WARNING a quorum of 1 survives the failure of no node"))
                    .anyMatch(line -> line.startsWith("WARNING a quorum of 2 survives the failure of no node"));
        } finally {
            logger.removeHandler(handler);
        }
    }

    private static Keyhold quorum(int size) {
        return Keyhold.builder()
                .quorumOfClients(Stream.generate(Keyhold::inMemory).limit(size).toList())
                .build();
    }

    private static DistributedLock lock(Keyhold keyhold) {
        return keyhold.lock(
                KEY, LockOptions.builder().lease(Nodes.LONGEST_LEASE).build());
    }
}
