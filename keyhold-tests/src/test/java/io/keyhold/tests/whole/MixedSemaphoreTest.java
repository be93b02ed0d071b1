package io.keyhold.tests.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.SemaphoreOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.FencingCounter;
import io.keyhold.tests.Setup;
import io.keyhold.tests.contract.lock.TestThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scripts and transactions, Jedis and Lettuce: all of them share one semaphore, and its permits stay exact. */
@Tag("full")
class MixedSemaphoreTest {

    private static final List<Setup> SETUPS =
            List.of(Setup.JEDIS_SCRIPTS, Setup.LETTUCE_SCRIPTS, Setup.JEDIS_SCRIPTS, Setup.LETTUCE_SCRIPTS);
    private static final int PERMITS = 3;
    private static final int HOLDS = 60;

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Set<Long> fencingTokens = ConcurrentHashMap.newKeySet();

    @Test
    void clientsOfBothDriversShareSemaphore() throws Exception {
        ExecutorService threads = TestThreads.executor();
        List<Keyhold> clients = new ArrayList<>();
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            List<Future<?>> work = new ArrayList<>();
            for (Setup setup : SETUPS) {
                Keyhold client = setup.client(server.uri()).build();
                clients.add(client);
                work.add(threads.submit(() -> enterOften(client.semaphore("mixed", PERMITS))));
                work.add(threads.submit(() -> enterOften(client.semaphore("mixed", PERMITS))));
            }
            for (Future<?> future : work) {
                future.get(120, TimeUnit.SECONDS);
            }
            assertThat(most).hasValueBetween(1, PERMITS);
            assertThat(fencingTokens).hasSize(HOLDS * work.size());
            for (Keyhold client : clients) {
                assertThat(client.semaphore("mixed", PERMITS).availablePermits())
                        .isEqualTo(PERMITS);
            }
            assertThat((List<?>) console.ask("KEYS", "*"))
                    .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                    .containsExactlyInAnyOrder("{mixed}:kh:permits", FencingCounter.of("mixed"));
            assertThat(console.text("HGET", "{mixed}:kh:permits", "used")).isEqualTo("0");
            assertThat(console.text("HLEN", "{mixed}:kh:permits")).isEqualTo("4");
        } finally {
            clients.forEach(Keyhold::close);
            threads.shutdownNow();
        }
    }

    /** Every third hold is left to expire, as after a crash, while all others continue. */
    @Test
    void permitsOfCrashedHoldersReturnOnce() throws Exception {
        ExecutorService threads = TestThreads.executor();
        List<Keyhold> clients = new ArrayList<>();
        try (EmbeddedRedis server = EmbeddedRedis.start()) {
            SemaphoreOptions options = SemaphoreOptions.builder()
                    .permits(PERMITS)
                    .lease(Duration.ofMillis(60))
                    .build();
            List<Future<?>> work = new ArrayList<>();
            for (Setup setup : SETUPS) {
                Keyhold client = setup.client(server.uri()).build();
                clients.add(client);
                work.add(threads.submit(() -> abandonSome(client.semaphore("mixed", options))));
            }
            for (Future<?> future : work) {
                future.get(120, TimeUnit.SECONDS);
            }
            for (Keyhold client : clients) {
                List<Lease> all = new ArrayList<>();
                for (int i = 0; i < PERMITS; i++) {
                    all.add(client.semaphore("mixed", PERMITS).acquire());
                }
                assertThat(client.semaphore("mixed", PERMITS).tryAcquire()).isEmpty();
                all.forEach(Lease::close);
            }
        } finally {
            clients.forEach(Keyhold::close);
            threads.shutdownNow();
        }
    }

    private Void enterOften(DistributedSemaphore semaphore) throws Exception {
        for (int i = 0; i < HOLDS; i++) {
            try (Lease lease = semaphore.acquire()) {
                int now = inside.incrementAndGet();
                most.accumulateAndGet(now, Math::max);
                fencingTokens.add(lease.fencingToken());
                assertThat(lease.isHeldOnServer()).isTrue(); // One round trip, during which others may try to acquire.
                inside.decrementAndGet();
            }
        }
        return null;
    }

    private static Void abandonSome(DistributedSemaphore semaphore) throws Exception {
        for (int i = 0; i < HOLDS / 2; i++) {
            Lease lease = semaphore.acquire();
            if (i % 3 != 0) {
                lease.release(); // close() would throw if it has expired on a slow machine.
            }
        }
        return null;
    }
}
