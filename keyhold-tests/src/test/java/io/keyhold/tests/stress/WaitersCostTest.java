package io.keyhold.tests.stress;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The commands of a hold, those inside scripts included, do not depend on the number of waiters. */
class WaitersCostTest {

    private static final String KEY = "gpu";
    private static final int PERMITS = 4;
    private static final int HOLDS = 400;

    /** A safety limit. */
    private static final long LIMIT_SECONDS = 60;

    /** Commands of this test itself. */
    private static final List<String> OURS = List.of("llen", "info", "config|resetstat");

    private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

    @Test
    void commandsPerHoldDoNotGrowWithWaiters() throws Exception {
        undisturbed(() -> {
            double few = commandsPerHold(10);
            double many = commandsPerHold(1000);
            assertThat(few).as("commands per hold").isGreaterThan(2);
            assertThat(many)
                    .as("commands per hold with 1,000 waiters, and with 10: " + few)
                    .isLessThanOrEqualTo(1.2 * few);
        });
    }

    private static double commandsPerHold(int waiters) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold jedis = client(Setup.JEDIS_SCRIPTS, server);
                Keyhold lettuce = client(Setup.LETTUCE_SCRIPTS, server)) {
            Lease all = jedis.semaphore(KEY, PERMITS).acquire(PERMITS);
            Relay relay = new Relay();
            for (int i = 0; i < waiters; i++) {
                relay.ask((i % 2 == 0 ? jedis : lettuce).semaphore(KEY, PERMITS));
            }
            ServerQueue queue = ServerQueue.forPermits(console, KEY);
            queue.await(waiters);

            console.ask("CONFIG", "RESETSTAT");
            assertThat(all.release()).isTrue();
            for (int i = 0; i < PERMITS; i++) {
                assertThat(relay.last.poll(LIMIT_SECONDS, TimeUnit.SECONDS))
                        .as("served in the end")
                        .isNotNull();
            }
            queue.await(waiters - PERMITS);
            return (double) commands(console) / (HOLDS + PERMITS);
        }
    }

    private static Keyhold client(Setup setup, EmbeddedRedis server) {
        return setup.client(server.uri(), "commandTimeout=20s").build();
    }

    /** Each holder releases and waits again, so that the number of waiters is constant; the last ones keep the lock. */
    private static final class Relay {

        private final AtomicInteger served = new AtomicInteger();
        private final BlockingQueue<Lease> last = new LinkedBlockingQueue<>();

        private void ask(DistributedSemaphore semaphore) {
            semaphore.acquireAsync().thenAccept(lease -> {
                if (served.incrementAndGet() > HOLDS) {
                    last.add(lease);
                } else {
                    lease.releaseAsync().thenRun(() -> ask(semaphore));
                }
            });
        }
    }

    private static long commands(Console console) {
        return CALLS.matcher(console.text("INFO", "commandstats"))
                .results()
                .filter(found -> !OURS.contains(found.group(1)))
                .mapToLong(found -> Long.parseLong(found.group(2)))
                .sum();
    }
}
