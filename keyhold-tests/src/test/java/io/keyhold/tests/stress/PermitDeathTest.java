package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.DistributedSemaphore;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Processes that hold permits, or wait for some, are killed: what they held returns once, and live waiters are not delayed. The
 * tests mostly wait, so several run at a time.
 */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class PermitDeathTest {

    private static final String KEY = "gpu";
    private static final int PERMITS = 5;

    /** So long that it does not end before its holder is killed, even if the machine stalls for some seconds. */
    private static final Duration LEASE = Duration.ofSeconds(8);

    @ParameterizedTest
    @EnumSource(
            value = Setup.class,
            names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void permitsOfDeadHolderReturnWhenLeaseEnds(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri())) {
            HolderOptions terms = HolderOptions.semaphore(PERMITS, LEASE);
            try (HolderJvm dead = HolderJvm.start("dead", setup, server.uri(), KEY, terms);
                    HolderJvm alive = HolderJvm.start("alive", setup, server.uri(), KEY, terms);
                    Keyhold observer = setup.client(server.uri()).build()) {
                dead.take("holder", 3);
                long fence = dead.awaitTook().fence();
                alive.take("waiter", 4);
                ServerQueue.forPermits(console, KEY).await(1);

                dead.kill(console);
                // It is no longer renewed, so from here its end is final.
                long endsAt = Long.parseLong(holders(console).get(1));
                RecordedHold next = alive.awaitTook();

                assertThat(next.fence()).isGreaterThan(fence);
                assertThat(grantedAt(console)).isGreaterThanOrEqualTo(endsAt);
                DistributedSemaphore semaphore = observer.semaphore(KEY, PERMITS);
                assertThat(semaphore.availablePermits()).isEqualTo(1);
                alive.give("waiter");
                assertThat(semaphore.availablePermits()).isEqualTo(PERMITS);
                assertThat(console.text("HGET", state(), "used")).isEqualTo("0");
                assertThat(console.text("EXISTS", KEY, "{" + KEY + "}:kh:waiters"))
                        .isEqualTo("0");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Setup.class,
            names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void deadHeadOfQueueIsSkipped(Setup setup) throws Exception {
        // No lease ends during this test: each grant follows a release.
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold holder = setup.client(server.uri()).build()) {
            HolderOptions terms = HolderOptions.semaphore(PERMITS, HolderOptions.LEASE);
            try (HolderJvm dead = HolderJvm.start("dead", setup, server.uri(), KEY, terms);
                    HolderJvm next = HolderJvm.start("next", setup, server.uri(), KEY, terms)) {
                DistributedSemaphore semaphore = holder.semaphore(KEY, PERMITS);
                Lease all = semaphore.acquire(PERMITS);
                ServerQueue queue = ServerQueue.forPermits(console, KEY);
                dead.take("in-front", 2);
                queue.await(1);
                next.take("behind", 4);
                queue.await(2);

                dead.kill(console);
                assertThat(all.release()).isTrue();

                assertThat(next.awaitTook().fence()).isGreaterThan(all.fencingToken());
                queue.await(0);
                assertThat(semaphore.availablePermits()).isEqualTo(1);
                next.give("behind");
                assertThat(semaphore.availablePermits()).isEqualTo(PERMITS);
            }
        }
    }

    private static String state() {
        return "{" + KEY + "}:kh:permits";
    }

    /** Token and end of each. */
    private static List<String> holders(Console console) {
        List<?> reply = (List<?>) console.ask("ZRANGE", KEY, "0", "-1", "WITHSCORES");
        if (reply == null || reply.size() != 2) {
            throw new AssertionError("expected one holder, was " + reply);
        }
        return List.of(String.valueOf(reply.get(0)), String.valueOf(reply.get(1)));
    }

    /** By the server's clock, of the only holder. */
    private static long grantedAt(Console console) {
        String detail = console.text("HGET", state(), ":" + holders(console).get(0));
        return Long.parseLong(detail.split(" ", -1)[2]);
    }
}
