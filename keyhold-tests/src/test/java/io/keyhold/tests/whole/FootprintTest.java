package io.keyhold.tests.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.testkit.ThreadWatch;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** What a client costs when it does nothing, with Jedis. */
@Tag("full")
@Timeout(120)
@Isolated("threads of other tests would count")
class FootprintTest {

    private static final String NAME = "idle";

    @Test
    void nothingIsOpenedBeforeFirstUse() {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            ThreadWatch threads = new ThreadWatch();
            try (Keyhold keyhold = client(server)) {
                keyhold.lock("a");
                keyhold.inspect();
                assertThat(console.connectionsNamed(NAME)).isZero();
                assertThat(threads.started()).isEmpty();
            }
        }
    }

    @Test
    void burstLeavesTwoThreadsAndConnectionsAtMost() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            ThreadWatch threads = new ThreadWatch();
            try (Keyhold keyhold = client(server)) {
                burst(keyhold);
                awaitConnections(console, 2);
                threads.awaitAtMost(2);
                Lease lease = keyhold.lock("a").acquire();
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }

    @Test
    void closingEndsThreadsAndConnections() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            ThreadWatch threads = new ThreadWatch();
            Keyhold keyhold = client(server);
            burst(keyhold);
            keyhold.close();
            awaitConnections(console, 0);
            threads.awaitAtMost(0);
        }
    }

    private static Keyhold client(EmbeddedRedis server) {
        return Setup.JEDIS_SCRIPTS.client(server.uri(), "clientName=" + NAME).build();
    }

    /** The timer gives connections back some seconds after the last use; only polling shows it. */
    private static void awaitConnections(Console console, int most) {
        while (console.connectionsNamed(NAME) > most) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** Many threads at once, blocking and asynchronous. */
    private static void burst(Keyhold keyhold) throws Exception {
        int threads = 16;
        CountDownLatch together = new CountDownLatch(threads);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String key = "burst:" + i;
            Thread thread = new Thread(() -> {
                together.countDown();
                try {
                    together.await();
                    for (int round = 0; round < 50; round++) {
                        keyhold.lock(key).acquire().release();
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) {
            thread.join();
        }
        LockOptions fixed = LockOptions.builder().lease(Duration.ofMinutes(1)).build();
        List<CompletableFuture<Lease>> requests = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            requests.add(keyhold.lock("async:" + i, fixed).acquireAsync());
        }
        for (CompletableFuture<Lease> request : requests) {
            request.get().releaseAsync().get();
        }
    }
}
