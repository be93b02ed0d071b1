package io.keyhold.tests.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.FencingCounter;
import io.keyhold.tests.Setup;
import io.keyhold.tests.contract.lock.TestThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scripts and transactions, Jedis and Lettuce: all of them exclude each other on one key. */
@Tag("full")
class MixedClientsTest {

    private static final int HOLDS = 150;

    private long entries;
    private long lastFencingToken;

    @Test
    void allKindsOfClientsExcludeEachOther() throws Exception {
        ExecutorService threads = TestThreads.executor();
        List<Keyhold> clients = new ArrayList<>();
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            List<Future<?>> work = new ArrayList<>();
            for (Setup setup : Setup.values()) {
                Keyhold client = setup.client(server.uri()).build();
                clients.add(client);
                DistributedLock lock = client.lock(
                        "mixed",
                        LockOptions.builder()
                                .retryInterval(Duration.ofMillis(1))
                                .build());
                work.add(threads.submit(() -> enterOften(lock)));
                work.add(threads.submit(() -> enterOften(lock)));
            }
            for (Future<?> future : work) {
                future.get(120, TimeUnit.SECONDS);
            }
            assertThat(entries).isEqualTo((long) HOLDS * work.size());
            assertThat(console.text("KEYS", "*")).isEqualTo("[" + FencingCounter.of("mixed") + "]");
        } finally {
            clients.forEach(Keyhold::close);
            threads.shutdownNow();
        }
    }

    private Void enterOften(DistributedLock lock) throws Exception {
        for (int i = 0; i < HOLDS; i++) {
            try (Lease lease = lock.acquire()) {
                assertThat(lease.fencingToken()).isGreaterThan(lastFencingToken);
                lastFencingToken = lease.fencingToken();
                entries = entries + 1;
            }
        }
        return null;
    }
}
