package io.keyhold.tests.faults;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server granted or released, and the reply was lost. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostReplyTest {

    /** Both limits: a background release may open a connection just before the proxy delivers replies again. */
    private static final String HASTY = "commandTimeout=1s&connectTimeout=1s";

    private static final String KEY = "invoice:42";

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private TcpProxy proxy = TcpProxy.to(server.host(), server.port());

    @BeforeEach
    void freshProxy() {
        proxy = TcpProxy.to(server.host(), server.port());
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void cutReplyOfGrantIsRetried(Setup setup) throws Exception {
        try (Keyhold keyhold = warm(setup)) {
            CompletableFuture<Void> lost = proxy.cutAfterNextRequestContaining(setup.acquireOnTheWire());
            Lease lease = keyhold.lock(KEY).acquire();
            assertThat(lost).as("the first reply was lost").succeedsWithin(Duration.ofMinutes(1));
            assertThat(lease.isHeldOnServer()).isTrue();
            assertThat(lease.release()).isTrue();
            assertThat(keyhold.lock(KEY).isLocked()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void cutReplyOfReleaseIsRetried(Setup setup) throws Exception {
        try (Keyhold keyhold = warm(setup)) {
            Lease lease = keyhold.lock(KEY).acquire();
            CompletableFuture<Void> lost = proxy.cutAfterNextRequestContaining(setup.acquireOnTheWire());
            assertThat(lease.release()).isTrue();
            assertThat(lost).succeedsWithin(Duration.ofMinutes(1));
            assertThat(lease.lost().toCompletableFuture()).isNotDone();
            assertThat(keyhold.lock(KEY).isLocked()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void grantWithoutReplyIsReleasedInBackground(Setup setup) throws Exception {
        try (Keyhold keyhold = warm(setup, HASTY);
                Keyhold other = setup.client(server.uri()).build()) {
            proxy.swallowReplies();
            assertThatThrownBy(() -> keyhold.lock(KEY).acquire())
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            unknown -> assertThat(unknown.outcomeUnknown()).isTrue())
                    .hasMessageContainingAll(KEY, "127.0.0.1:" + proxy.port(), "no reply");
            proxy.heal();
            Lease next = other.lock(KEY).tryAcquire(Duration.ofSeconds(20)).orElseThrow();
            assertThat(next.release())
                    .as("no late release hits the next holder")
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void asynchronousGrantWithoutReplyIsReleased(Setup setup) throws Exception {
        try (Keyhold keyhold = warm(setup, HASTY);
                Keyhold other = setup.client(server.uri()).build()) {
            proxy.swallowReplies();
            assertThatThrownBy(() -> keyhold.lock(KEY).acquireAsync().get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreUnavailableException.class);
            proxy.heal();
            assertThat(other.lock(KEY)
                            .tryAcquire(Duration.ofSeconds(20))
                            .orElseThrow()
                            .release())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void unsentReleaseIsRepeatedAfterOutage(Setup setup) throws Exception {
        try (Keyhold keyhold = warm(setup);
                Keyhold other = setup.client(server.uri()).build()) {
            Lease lease = keyhold.lock(KEY).acquire();
            proxy.refuse();
            assertThatThrownBy(lease::release).isInstanceOf(StoreUnavailableException.class);
            assertThat(lease.isHeld()).isFalse();
            proxy.heal();
            assertThat(other.lock(KEY)
                            .tryAcquire(Duration.ofSeconds(20))
                            .orElseThrow()
                            .release())
                    .isTrue();
        }
    }

    /** All at once, because the leases are so long, for a machine that stalls for some seconds, that the first renewal comes late. */
    @Test
    @Tag("full")
    void renewalSurvivesLostConnectionsAndReplies() throws Exception {
        undisturbed(() -> {
            List<Renewed> leases = new ArrayList<>();
            try (Keyhold other = Setup.LETTUCE_SCRIPTS.client(server.uri()).build()) {
                for (Setup setup : Setup.values()) {
                    leases.add(renewed(setup));
                }
                for (int round = 0; round < 3; round++) {
                    List<CompletableFuture<Void>> cut =
                            leases.stream().map(Renewed::cut).toList();
                    assertThat(cut).allSatisfy(renewal -> assertThat(renewal).succeedsWithin(Duration.ofSeconds(30)));
                }
                for (Renewed each : leases) {
                    assertThat(each.lease().lost().toCompletableFuture())
                            .as("%s", each.setup())
                            .isNotDone();
                    assertThat(other.lock(each.lease().key()).tryAcquire()).isEmpty();
                    assertThat(each.lease().release()).isTrue();
                }
            } finally {
                leases.forEach(Renewed::close);
            }
        });
    }

    /** A lease whose client reaches the server through its own proxy. */
    private record Renewed(Setup setup, TcpProxy proxy, Keyhold keyhold, Lease lease) {

        /** Cuts its connections now, and the next once the server has renewed. */
        CompletableFuture<Void> cut() {
            proxy.cut();
            return proxy.cutAfterNextRequestContaining(setup.acquireOnTheWire());
        }

        void close() {
            keyhold.close();
            proxy.close();
        }
    }

    private Renewed renewed(Setup setup) throws Exception {
        TcpProxy own = TcpProxy.to(server.host(), server.port());
        Keyhold keyhold = setup.client(own.uri(), HASTY).build();
        DistributedLock lock = keyhold.lock("invoice of " + setup)
                .with(options -> options.lease(Duration.ofSeconds(12)).renew(true));
        Lease lease = atLast(lock::acquire);
        return new Renewed(setup, own, keyhold, lease);
    }

    /** With its connections open and its scripts known, so that the next request is the one under test. */
    private Keyhold warm(Setup setup, String... parameters) throws Exception {
        Keyhold keyhold = setup.client(proxy.uri(), parameters).build();
        atLast(() -> keyhold.lock("warm").acquire().release());
        return keyhold;
    }

    /** Retries the first acquire: on a busy machine a reply may take longer than the second that some of these clients wait. */
    private static <T> T atLast(Callable<T> beginning) throws Exception {
        while (true) {
            try {
                return beginning.call();
            } catch (StoreUnavailableException slow) {
                // The time limit of the test ends this loop.
            }
        }
    }
}
