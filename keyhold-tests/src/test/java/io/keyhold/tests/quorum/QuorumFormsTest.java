package io.keyhold.tests.quorum;

import static io.keyhold.tests.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.CommandStyle;
import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.KeyholdClosedException;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.QuorumOptions;
import io.keyhold.jedis.JedisDriver;
import io.keyhold.lettuce.LettuceDriver;
import io.keyhold.spi.RedisUri;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way to configure the nodes, and any number of them. */
class QuorumFormsTest {

    private static final String KEY = "invoice:42";

    /** For nodes that another client has admitted. */
    private static final QuorumOptions KNOWN =
            Nodes.PATIENTLY.toBuilder().admitFreshNodes(false).build();

    @Test
    void quorumByUriDriverOrClientIsTheSame() throws Exception {
        try (Nodes nodes = Nodes.start(3);
                Keyhold byUri = nodes.client().clientName("by-uri").build();
                Keyhold byDriver = Keyhold.builder()
                        .quorumOfDrivers(
                                List.of(
                                        JedisDriver.open(RedisUri.parse(nodes.uris()[2])),
                                        LettuceDriver.open(RedisUri.parse(nodes.uris()[0])),
                                        JedisDriver.open(RedisUri.parse(nodes.uris()[1]))),
                                KNOWN)
                        .build();
                Keyhold one = Keyhold.connect(nodes.uris()[0]);
                Keyhold two = Keyhold.connect(nodes.uris()[1] + "&driver=lettuce");
                Keyhold three = Keyhold.connect(nodes.uris()[2]);
                Keyhold byClient = Keyhold.builder()
                        .quorumOfClients(List.of(one, two, three), KNOWN)
                        .build()) {
            Lease lease = byUri.lock(KEY, brief()).acquire();
            for (Keyhold other : List.of(byDriver, byClient)) {
                assertThat(other.lock(KEY).tryAcquire()).isEmpty();
                assertThat(other.inspect().lock(KEY).holder().orElseThrow().clientName())
                        .contains("by-uri");
            }
            assertThat(lease.release()).isTrue();
            Lease next = byDriver.lock(KEY, brief()).acquire();
            assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
            assertThat(byClient.lock(KEY).tryAcquire()).isEmpty();
        }
    }

    @Test
    void closeKeepsLentClientsOpen() throws Exception {
        try (Nodes nodes = Nodes.start(3)) {
            JedisDriver driver = JedisDriver.open(RedisUri.parse(nodes.uris()[0] + "&clientName=lent"));
            Keyhold lent = Keyhold.builder().driver(driver).clientName("lent").build();
            Keyhold quorum = Keyhold.builder()
                    .quorumOfClients(List.of(lent, Keyhold.inMemory(), Keyhold.inMemory()), Nodes.PATIENTLY)
                    .build();
            DistributedLock lock = quorum.lock(KEY);
            lock.acquire();
            quorum.close();
            assertThatThrownBy(lock::tryAcquire).isInstanceOf(KeyholdClosedException.class);
            assertThat(lent.lock(KEY).acquire().release())
                    .as("released, and the lent client is still open")
                    .isTrue();
            lent.close();

            Keyhold own = nodes.client().clientName("own").build();
            own.lock(KEY, brief()).acquire();
            // The other two may have been enough.
            await(() -> nodes.ask(1, "CLIENT", "LIST").contains(" name=own "));
            own.close();
            await(() -> !nodes.ask(1, "CLIENT", "LIST").contains(" name=own "));
        }
    }

    /** Each row: the number of nodes, how many of them a foreign holder may have, and how many are too many. */
    @ParameterizedTest
    @CsvSource({"1, 0, 1", "2, 0, 1", "3, 1, 2", "4, 1, 2", "5, 2, 3", "6, 2, 3"})
    void majorityHoldsLock(int size, int harmless, int decisive) throws Exception {
        List<Keyhold> nodes = inMemory(size);
        try (Keyhold quorum =
                Keyhold.builder().quorumOfClients(nodes, Nodes.PATIENTLY).build()) {
            for (Keyhold node : nodes.subList(0, decisive)) {
                node.lock("some").acquire();
            }
            for (Keyhold node : nodes.subList(0, harmless)) {
                node.lock("few").acquire();
            }
            assertThat(quorum.lock("some").tryAcquire()).isEmpty();
            assertThat(nodes.get(size - 1).lock("some").isLocked())
                    .as("the votes of a minority are released")
                    .isEqualTo(decisive == size);
            Lease lease = quorum.lock("few").acquire();
            assertThat(lease.isHeldOnServer()).isTrue();
            assertThat(lease.release()).isTrue();
            assertThat(nodes.get(size - 1).lock("few").isLocked()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void minorityHoldersAreNamedPerNode(boolean one) {
        List<Keyhold> nodes = inMemory(3);
        try (Keyhold quorum =
                Keyhold.builder().quorumOfClients(nodes, Nodes.PATIENTLY).build()) {
            nodes.get(0).lock(KEY, token("left")).tryAcquireAsync().join();
            nodes.get(1)
                    .lock(KEY, token(one ? "left" : "right"))
                    .tryAcquireAsync()
                    .join();
            assertThatThrownBy(() -> quorum.lock(
                                    KEY, LockOptions.builder().retries(0).build())
                            .acquire())
                    .isInstanceOf(AcquireTimeoutException.class)
                    .hasMessageContainingAll(
                            KEY, "busy, held by left for ", "busy, held by " + (one ? "left" : "right") + " for ");
        }
    }

    @Test
    void nodeMustBeServerWithScripts() {
        try (Keyhold transactions = Keyhold.builder()
                        .uri("redis://localhost:1")
                        .commands(CommandStyle.TRANSACTIONS)
                        .build();
                Keyhold memory = Keyhold.inMemory()) {
            assertThatThrownBy(() -> Keyhold.builder()
                            .quorumOfClients(List.of(memory, transactions))
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("one server with scripts, or in memory");
        }
    }

    /** A former master and its successor would both vote. */
    @Test
    void nodeMustNotFollowSentinels() {
        String sentinels = "redis-sentinel://localhost:1,localhost:2?master=main";
        assertThatThrownBy(() -> Keyhold.builder().quorum("redis://localhost:3", sentinels))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("must be one server", "sentinels localhost:1,localhost:2");
        try (Keyhold memory = Keyhold.inMemory();
                Keyhold follower = Keyhold.connect(sentinels)) {
            assertThatThrownBy(() -> Keyhold.builder()
                            .quorumOfClients(List.of(memory, follower))
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("must be one server", "master 'main' of sentinels localhost:1");
        }
    }

    private static List<Keyhold> inMemory(int count) {
        return Stream.generate(Keyhold::inMemory).limit(count).toList();
    }

    private static LockOptions brief() {
        return LockOptions.builder().lease(Nodes.LONGEST_LEASE).renew(true).build();
    }

    private static LockOptions token(String token) {
        return LockOptions.builder().lease(Duration.ofMinutes(1)).token(token).build();
    }
}
