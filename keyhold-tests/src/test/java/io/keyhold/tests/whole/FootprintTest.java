package io.keyhold.tests.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client costs when it does nothing, with Jedis. */
@Timeout(120)
class FootprintTest {

    private final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());

    @Test
    void nothingIsOpenedBeforeFirstUse() {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = Keyhold.connect(server.uri() + "?clientName=idle")) {
            keyhold.lock("a");
            keyhold.inspect();
            assertThat(console.connectionsNamed("idle")).isZero();
            assertThat(newThreads()).isEmpty();
        }
    }

    @Test
    void afterABurstAtMostTwoThreadsAndTwoConnectionsAreLeft() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold keyhold = Keyhold.connect(server.uri() + "?clientName=idle")) {
            burst(keyhold);
            // The timer gives connections back some seconds after the last use; nothing tells of it but looking.
            while (console.connectionsNamed("idle") > 2 || newThreads().size() > 2) {
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            Lease lease = keyhold.lock("a").acquire();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void closingEndsThreadsAndConnections() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            Keyhold keyhold = Keyhold.connect(server.uri() + "?clientName=idle");
            burst(keyhold);
            keyhold.close();
            while (console.connectionsNamed("idle") > 0) {
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            for (Thread thread : newThreads()) {
                thread.join();
            }
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

    /** Threads of this client's: the JVM's own and the common pool's, which run the test's callbacks, are left out. */
    private List<Thread> newThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> !thread.getName().startsWith("ForkJoinPool.commonPool"))
                .filter(thread -> !thread.getName().contains("embedded"))
                .filter(thread -> !thread.getName().equals("process reaper"))
                .filter(thread -> thread.isAlive())
                .toList();
    }
}
