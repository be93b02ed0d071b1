package io.keyhold.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The lock was lost while its holder was idle, and so was the connection: the release must report the loss, and must not take "not held" for
 * the effect of its own first attempt.
 */
@Execution(ExecutionMode.CONCURRENT)
class ReleaseAfterRestartTest {

    private static final String KEY = "invoice:42";

    private static final Duration IDLE = Duration.ofMillis(50);

    /** Not renewed, so that only the release can notice the loss. */
    private static DistributedLock lock(Keyhold keyhold) {
        return keyhold.lock(KEY).with(options -> options.lease(Duration.ofMinutes(5)));
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void releaseAfterRestartReportsLoss(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold = setup.client(server.uri()).build();
                Keyhold other = setup.client(server.uri()).build()) {
            Lease lease = lock(keyhold).acquire();
            server.restart();
            beIdle();
            Lease next = lock(other).acquire();
            assertThat(lease.release()).isFalse();
            assertThat(lease.lost().toCompletableFuture()).succeedsWithin(Duration.ofMinutes(1));
            assertThat(next.isHeldOnServer()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void runAfterRestartThrows(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold = setup.client(server.uri()).build();
                Keyhold other = setup.client(server.uri()).build()) {
            assertThatThrownBy(() -> lock(keyhold).call(() -> {
                        server.restart();
                        beIdle();
                        return lock(other).acquire();
                    }))
                    .isInstanceOf(LeaseLostException.class);
        }
    }

    /** A connection that was used within the last 10 ms counts as alive (CallLane.RELEASE): at least that long, then. */
    private static void beIdle() {
        long began = System.nanoTime();
        while (System.nanoTime() - began < IDLE.toNanos()) {
            LockSupport.parkNanos(IDLE.toNanos());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void releaseAfterIdleCloseReportsLoss(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = setup.client(server.uri()).build();
                Keyhold other = setup.client(server.uri()).build()) {
            Lease lease = lock(keyhold).acquire();
            beIdle();
            console.ask("FLUSHALL");
            console.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            Lease next = lock(other).acquire();
            assertThat(lease.release()).isFalse();
            assertThat(lease.lost().toCompletableFuture()).succeedsWithin(Duration.ofMinutes(1));
            assertThat(next.isHeldOnServer()).isTrue();
        }
    }
}
