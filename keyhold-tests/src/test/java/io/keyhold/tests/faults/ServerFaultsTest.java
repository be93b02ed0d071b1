package io.keyhold.tests.faults;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.StoreUnavailableException;
import io.keyhold.WrongKindException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that stops, loses its data, or whose keys other programs change. */
@Execution(ExecutionMode.CONCURRENT)
class ServerFaultsTest {

    private static final String KEY = "invoice:42";
    /** So long that renewals are in time even if the machine stalls for some seconds. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    @ParameterizedTest
    @Tag("full")
    @EnumSource(Setup.class)
    void pausedServerLossIsReportedInTime(Setup setup) throws Exception {
        undisturbed(() -> {
            try (EmbeddedRedis server = EmbeddedRedis.start();
                    Keyhold keyhold = setup.client(server.uri()).build();
                    Keyhold other = setup.client(server.uri()).build()) {
                Lease lease = renewed(keyhold)
                        .with(options -> options.lease(Duration.ofSeconds(4)))
                        .acquire();
                server.pause();
                // Reported while the server is stopped: it cannot have granted the lock to another client by then.
                assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.UNREACHABLE);
                assertThat(lease.isHeld()).isFalse();
                server.resume();
                Lease next = other.lock(KEY).tryAcquire(Duration.ofSeconds(20)).orElseThrow();
                assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
                assertThat(lease.release()).isFalse();
                assertThat(next.isHeldOnServer()).isTrue();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void emptyRestartIsLossAndTokensGrow(Setup setup) throws Exception {
        undisturbed(() -> {
            try (EmbeddedRedis server = EmbeddedRedis.start();
                    Keyhold keyhold = setup.client(server.uri()).build()) {
                Lease lease = renewed(keyhold).acquire();
                server.restart();
                LeaseLost loss = lost(lease);
                assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.GONE);
                Lease next =
                        keyhold.lock(KEY).tryAcquire(Duration.ofSeconds(20)).orElseThrow();
                assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void outageErrorIsClearAndWorkResumes(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold = setup.client(server.uri()).build()) {
            keyhold.lock(KEY).acquire().release();
            server.kill();
            assertThatThrownBy(() -> keyhold.lock(KEY).acquire())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll("cannot acquire lock '" + KEY + "'", "127.0.0.1:" + server.port());
            server.restart();
            assertThat(keyhold.lock(KEY).acquire().release()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void flushedScriptsAreSentAgain(Setup setup) throws Exception {
        undisturbed(() -> {
            try (EmbeddedRedis server = EmbeddedRedis.start();
                    Console console = new Console(server.uri());
                    Keyhold keyhold = setup.client(server.uri()).build()) {
                Lease lease = renewed(keyhold).acquire();
                for (int i = 0; i < 3; i++) {
                    console.ask("SCRIPT", "FLUSH");
                    assertThat(lease.extend(LEASE)).isTrue();
                    console.ask("SCRIPT", "FLUSH");
                    assertThat(keyhold.lock("other").acquire().release()).isTrue();
                }
                console.ask("SCRIPT", "FLUSH");
                assertThat(lease.release()).isTrue();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void flushallIsLoss(Setup setup) throws Exception {
        undisturbed(() -> {
            try (EmbeddedRedis server = EmbeddedRedis.start();
                    Console console = new Console(server.uri());
                    Keyhold keyhold = setup.client(server.uri()).build()) {
                Lease lease = renewed(keyhold).acquire();
                console.ask("FLUSHALL");
                assertThat(lost(lease).reason()).isEqualTo(LeaseLost.Reason.GONE);
                assertThat(lease.release()).isFalse();
                assertThat(keyhold.lock(KEY).acquire().fencingToken()).isGreaterThan(lease.fencingToken());
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void changedKeyTypeIsLossAndLeftUntouched(Setup setup) throws Exception {
        undisturbed(() -> {
            try (EmbeddedRedis server = EmbeddedRedis.start();
                    Console console = new Console(server.uri());
                    Keyhold keyhold = setup.client(server.uri()).build()) {
                Lease lease = renewed(keyhold).acquire();
                Lease other = keyhold.lock("other")
                        .with(options -> options.lease(LEASE).renew(true))
                        .acquire();
                console.ask("DEL", KEY);
                console.ask("HSET", KEY, "field", "value");
                assertThat(lost(lease).reason()).isIn(LeaseLost.Reason.TAKEN, LeaseLost.Reason.GONE);
                assertThat(lease.release()).isFalse();
                assertThatThrownBy(() -> keyhold.lock(KEY).tryAcquire())
                        .isInstanceOfSatisfying(
                                WrongKindException.class,
                                wrong -> assertThat(wrong.found()).isEmpty())
                        .hasMessageContainingAll(
                                "'" + KEY + "'", "another program keeps data under this key, of type hash");
                assertThatThrownBy(() -> keyhold.inspect().forceRelease(KEY))
                        .isInstanceOfSatisfying(
                                WrongKindException.class,
                                wrong -> assertThat(wrong.found()).isEmpty())
                        .hasMessageContainingAll(
                                "'" + KEY + "'", "another program keeps data under this key, of type hash");
                assertThat(console.text("HGET", KEY, "field")).isEqualTo("value");
                assertThat(other.isHeld())
                        .as("the other lease of the same batch")
                        .isTrue();
                assertThat(other.release()).isTrue();
            }
        });
    }

    private static DistributedLock renewed(Keyhold keyhold) {
        return keyhold.lock(KEY).with(options -> options.lease(LEASE).renew(true));
    }

    private static LeaseLost lost(Lease lease) throws Exception {
        return lease.lost().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
