package io.keyhold.tests.stress;

import static io.keyhold.testkit.StallWatch.undisturbed;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.SemaphoreOptions;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A great many holders whose leases end: their permits return exactly, and the next operation purges them. */
@Tag("full")
@Tag("alone")
class ManyHoldersTest {

    private static final String KEY = "gpu";
    private static final String STATE = "{" + KEY + "}:kh:permits";
    private static final int HOLDERS = 5_000;
    private static final int KEPT = 7;
    private static final Duration LEASE = Duration.ofSeconds(8);

    /** As many as one operation purges: with fewer holders the test would prove nothing. */
    private static final long PORTION = 1000;

    @Test
    void expiredPermitsOfThousandsReturnExactly() throws Exception {
        undisturbed(() -> {
            SemaphoreOptions options = SemaphoreOptions.builder()
                    .permits(HOLDERS + KEPT)
                    .lease(LEASE)
                    .build();
            try (EmbeddedRedis server = EmbeddedRedis.start();
                    Console console = new Console(server.uri());
                    Keyhold keyhold = Setup.LETTUCE_SCRIPTS
                            .client(server.uri(), "commandTimeout=20s")
                            .build()) {
                DistributedSemaphore semaphore = keyhold.semaphore(KEY, options);
                // This one stays, so that the shared key does not expire with the others.
                Lease kept =
                        semaphore.with(some -> some.lease(HolderOptions.LEASE)).acquire(KEPT);
                List<Lease> leases = RequestBatches.results(HOLDERS, i -> semaphore.acquireAsync());
                assertThat(leases).extracting(Lease::fencingToken).doesNotHaveDuplicates();
                awaitOnlyOne(console);

                assertThat(Long.parseLong(console.text("ZCARD", KEY)))
                        .as("holders that are not purged")
                        .isGreaterThan(PORTION);
                assertThat(semaphore.availablePermits()).isEqualTo(HOLDERS);
                Optional<Lease> next =
                        semaphore.with(some -> some.lease(HolderOptions.LEASE)).tryAcquire(HOLDERS);
                assertThat(next).as("all free permits").isPresent();
                assertThat(console.text("ZCARD", KEY)).isEqualTo("2");
                assertThat(console.text("HLEN", STATE))
                        .as("four numbers, two holders")
                        .isEqualTo("6");
                assertThat(console.text("HGET", STATE, "used")).isEqualTo("" + (HOLDERS + KEPT));
                assertThat(semaphore.availablePermits()).isZero();

                List<Boolean> late =
                        RequestBatches.results(HOLDERS, i -> leases.get(i).releaseAsync());
                assertThat(late).as("releases of expired holds").containsOnly(false);
                assertThat(semaphore.availablePermits()).isZero();
                assertThat(next.orElseThrow().isHeldOnServer()).isTrue();
                assertThat(kept.isHeldOnServer()).isTrue();
            }
        });
    }

    private static void awaitOnlyOne(Console console) throws InterruptedException {
        while (!console.text("ZCOUNT", KEY, "" + console.micros(), "+inf").equals("1")) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
