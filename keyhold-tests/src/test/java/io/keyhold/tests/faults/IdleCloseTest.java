package io.keyhold.tests.faults;

import static io.keyhold.testkit.driver.DriverUnderTest.withLongTimeouts;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.QuorumOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import io.keyhold.tests.contract.lock.Background;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that closes idle connections, by its {@code timeout} or by an operator: idempotent calls do not fail. */
@Tag("full")
class IdleCloseTest {

    private static final String KEY = "invoice:42";
    private static final String SEMAPHORE = "gpu";
    private static final int CONNECTIONS = 4;
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final LockOptions HELD =
            LockOptions.builder().lease(LEASE).renew(true).build();

    @ParameterizedTest
    @EnumSource(Setup.class)
    void idempotentCallsSurvive(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            DistributedLock lock = keyhold.lock(KEY, HELD);
            Lease lease = lock.acquire();
            Idle idle = new Idle(keyhold, List.of(console));
            assertThat(idle.then(lock::isLocked)).isTrue();
            assertThat(idle.then(lease::isHeldOnServer)).isTrue();
            assertThat(idle.then(() -> lease.extend(LEASE))).isTrue();
            assertThat(idle.then(() -> keyhold.inspect().lock(KEY)).isHeld()).isTrue();
            assertThat(idle.then(() -> keyhold.inspect().list("*"))).hasSize(1);
            String token = lease.handOff();
            Lease adopted = idle.then(() -> lock.adopt(token));
            assertThat(adopted.isHeldOnServer()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void callsToSemaphoresAndMultiLocksSurvive(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            DistributedSemaphore semaphore = keyhold.semaphore(SEMAPHORE, 3);
            Lease permit = semaphore.acquire();
            Lease both = keyhold.allOf(List.of("a", "b"), HELD).acquire();
            Idle idle = new Idle(keyhold, List.of(console));
            assertThat(idle.then(permit::isHeldOnServer)).isTrue();
            assertThat(idle.then(both::isHeldOnServer)).isTrue();
            assertThat(idle.then(() -> permit.extend(LEASE))).isTrue();
            assertThat(idle.then(() -> both.extend(LEASE))).isTrue();
            assertThat(idle.then(() -> keyhold.inspect().lock(SEMAPHORE)).availablePermits())
                    .isEqualTo(2);
            assertThat(idle.then(() -> keyhold.inspect().list("*"))).hasSize(3);
            assertThat(idle.then(semaphore::availablePermits)).isEqualTo(2);
            assertThat(idle.then(() -> semaphore.isHeld(permit.token()))).isTrue();
            assertThat(idle.then(() -> keyhold.allOf("a", "b").isLocked())).isTrue();
            String permitToken = permit.handOff();
            assertThat(idle.then(() -> semaphore.adopt(permitToken)).isHeldOnServer())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void callsToReadWriteLocksSurvive(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build()) {
            DistributedLock lock = keyhold.readWriteLock("rw", HELD).writeLock();
            Lease write = lock.acquire();
            Idle idle = new Idle(keyhold, List.of(console));
            assertThat(idle.then(lock::isLocked)).isTrue();
            assertThat(idle.then(write::isHeldOnServer)).isTrue();
            assertThat(idle.then(() -> write.extend(LEASE))).isTrue();
            String token = write.handOff();
            assertThat(idle.then(() -> lock.adopt(token)).isHeldOnServer()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void callsToQuorumSurvive(String driver) throws Exception {
        try (EmbeddedRedis one = EmbeddedRedis.start();
                EmbeddedRedis two = EmbeddedRedis.start();
                EmbeddedRedis three = EmbeddedRedis.start();
                Console first = new Console(one.uri());
                Console second = new Console(two.uri());
                Console third = new Console(three.uri());
                Keyhold keyhold = Keyhold.builder()
                        .quorum(
                                List.of(uri(one, driver), uri(two, driver), uri(three, driver)),
                                QuorumOptions.builder()
                                        .admitFreshNodes(true)
                                        .nodeTimeout(Duration.ofSeconds(10))
                                        .longestLease(LEASE)
                                        .build())
                        .build()) {
            DistributedLock lock = keyhold.lock(KEY, HELD);
            Lease lease = lock.acquire();
            Idle idle = new Idle(keyhold, List.of(first, second, third));
            while (!keyhold.inspect().quorum().orElseThrow().nodes().stream().allMatch(QuorumNode::canVote)) {
                Thread.onSpinWait(); // A majority is enough for the lock: the third node may get the request later.
            }
            assertThat(idle.then(() -> keyhold.inspect().quorum()).orElseThrow().nodes())
                    .hasSize(3)
                    .allMatch(QuorumNode::canVote);
            assertThat(idle.then(lock::isLocked)).isTrue();
            assertThat(idle.then(lease::isHeldOnServer)).isTrue();
            assertThat(idle.then(() -> lease.extend(LEASE))).isTrue();
            assertThat(idle.then(() -> keyhold.inspect().list("*"))).hasSize(1);
            assertThat(idle.then(() -> keyhold.inspect().lock(KEY)).nodes())
                    .allMatch(node -> node.error().isEmpty());
            String token = lease.handOff();
            assertThat(idle.then(() -> lock.adopt(token)).isHeldOnServer()).isTrue();
        }
    }

    private static String uri(EmbeddedRedis server, String driver) {
        return withLongTimeouts(server.uri() + "?driver=" + driver);
    }

    /** Connections of a client that are idle, all of which the servers close. */
    private record Idle(Keyhold keyhold, List<Console> consoles) {

        <T> T then(Callable<T> call) throws Exception {
            List<Background<Boolean>> several = IntStream.range(0, CONNECTIONS)
                    .mapToObj(i -> Background.start(() -> keyhold.lock(KEY).isLocked()))
                    .toList();
            for (Background<Boolean> one : several) {
                one.result();
            }
            for (Console console : consoles) {
                for (String type : Set.of("normal", "pubsub")) {
                    console.ask("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
                }
            }
            return call.call();
        }
    }
}
