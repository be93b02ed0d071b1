package io.keyhold.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.StoreUnavailableException;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that is stopped: the state of its locks is unknown, and reported as unknown. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class SilentServerTest {

    private static final String KEY = "invoice:42";
    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void silenceIsNotReportedAsBusy(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold keyhold =
                        setup.client(server.uri(), "commandTimeout=3s").build()) {
            keyhold.lock("warm").acquire().release();
            server.pause();
            List<CompletableFuture<Optional<Lease>>> outcomes = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                CompletableFuture<Optional<Lease>> outcome = new CompletableFuture<>();
                outcomes.add(outcome);
                threads.add(new Thread(() -> {
                    try {
                        outcome.complete(keyhold.lock(KEY).tryAcquire(Duration.ofSeconds(1)));
                    } catch (InterruptedException | RuntimeException e) {
                        outcome.completeExceptionally(e);
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            server.resume();
            assertThat(outcomes).allSatisfy(outcome -> {
                assertThat(outcome).isCompletedExceptionally();
                assertThat(outcome.handle((lease, failure) -> failure).join())
                        .isInstanceOf(StoreUnavailableException.class);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void clientOfSilentServerCanBeClosed(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Keyhold holder = setup.client(server.uri()).build()) {
            Keyhold keyhold = setup.client(server.uri()).build();
            Lease lease = keyhold.lock(KEY).acquire();
            holder.lock("taken").acquire();
            CompletableFuture<Lease> waiting = keyhold.lock("taken").acquireAsync();
            server.pause();
            Thread closing = new Thread(keyhold::close);
            closing.start();
            closing.join(TIME_LIMIT.toMillis());
            boolean closed = !closing.isAlive();
            server.resume();
            closing.join();
            assertThat(closed).as("while the server is stopped").isTrue();
            assertThat(waiting).isCompletedExceptionally();
            assertThat(lease.isHeld()).isFalse();
        }
    }
}
