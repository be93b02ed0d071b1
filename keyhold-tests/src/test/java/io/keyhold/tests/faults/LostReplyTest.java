package io.keyhold.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.TcpProxy;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server granted or released, and nobody heard of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostReplyTest {

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
    void aGrantWhoseReplyWasCutIsAskedForAgain(Setup setup) throws Exception {
        try (Keyhold keyhold = warm(setup, "commandTimeout=5s")) {
            CompletableFuture<Void> lost = proxy.cutAfterNextRequestContaining(setup.acquireOnTheWire());
            Lease lease = keyhold.lock(KEY).acquire();
            assertThat(lost).as("the first reply was lost").succeedsWithin(Duration.ofSeconds(10));
            assertThat(lease.isOwned()).isTrue();
            assertThat(lease.release()).isTrue();
            assertThat(keyhold.lock(KEY).isLocked()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void aReleaseWhoseReplyWasCutIsRepeatedAndTellsTheTruth(Setup setup) throws Exception {
        try (Keyhold keyhold = warm(setup, "commandTimeout=5s")) {
            Lease lease = keyhold.lock(KEY).acquire();
            CompletableFuture<Void> lost = proxy.cutAfterNextRequestContaining(setup.acquireOnTheWire());
            assertThat(lease.release()).isTrue();
            assertThat(lost).succeedsWithin(Duration.ofSeconds(10));
            assertThat(lease.lost().toCompletableFuture()).isNotDone();
            assertThat(keyhold.lock(KEY).isLocked()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void aGrantWhoseReplyNeverCameIsGivenBackLongBeforeItsLeaseEnds(Setup setup) throws Exception {
        try (Keyhold keyhold = warm(setup, "commandTimeout=1s");
                Keyhold other = setup.client(server.uri()).build()) {
            proxy.swallowReplies();
            assertThatThrownBy(() -> keyhold.lock(KEY).acquire())
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            unknown -> assertThat(unknown.outcomeUnknown()).isTrue())
                    .hasMessageContainingAll(KEY, "127.0.0.1:" + proxy.port(), "no answer");
            proxy.heal();
            Lease next = other.lock(KEY).tryAcquire(Duration.ofSeconds(20)).orElseThrow();
            assertThat(next.release())
                    .as("no late release hits the next holder")
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void anAsynchronousGrantWhoseReplyNeverCameIsGivenBackToo(Setup setup) throws Exception {
        try (Keyhold keyhold = warm(setup, "commandTimeout=1s");
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
    void aReleaseThatCannotBeSentIsRepeatedWhenTheServerIsBack(Setup setup) throws Exception {
        try (Keyhold keyhold = warm(setup, "commandTimeout=1s");
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

    @ParameterizedTest
    @EnumSource(Setup.class)
    void aRenewedLeaseSurvivesCutsThatAreShorterThanItsLength(Setup setup) throws Exception {
        try (Keyhold keyhold = warm(setup, "commandTimeout=1s");
                Keyhold other = setup.client(server.uri()).build()) {
            Lease lease = keyhold.lock(KEY)
                    .with(options -> options.lease(Duration.ofMillis(2500)).renew(true))
                    .acquire();
            for (int i = 0; i < 6; i++) {
                proxy.cut();
                assertThat(other.lock(KEY).tryAcquire(Duration.ofMillis(500))).isEmpty();
            }
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.release()).isTrue();
        }
    }

    /** With its connections open and its scripts known, so that the next request is the one that a test means. */
    private Keyhold warm(Setup setup, String parameter) throws InterruptedException {
        Keyhold keyhold = setup.client(proxy.uri(), parameter).build();
        keyhold.lock("warm").acquire().release();
        return keyhold;
    }
}
