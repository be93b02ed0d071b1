package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that waits is killed: the lock is handed over to the next waiter. No lease ends during this test, they are all of
 * {@link HolderOptions#LEASE}, so each grant follows a release.
 */
@Tag("full")
class WaiterDeathTest {

    private static final String KEY = "invoice:42";

    @ParameterizedTest
    @EnumSource(
            value = Setup.class,
            names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void deadWaiterIsSkippedAtOnce(Setup setup) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold holder = setup.client(server.uri()).build();
                HolderJvm dead = HolderJvm.start("dead", setup, server.uri(), KEY, HolderOptions.BATCHED);
                HolderJvm next = HolderJvm.start("next", setup, server.uri(), KEY, HolderOptions.BATCHED)) {
            ServerQueue queue = new ServerQueue(console, KEY);
            Lease first = holder.lock(KEY, HolderOptions.BATCHED.options()).acquire();
            dead.pass("in-front");
            queue.await(1);
            next.pass("behind");
            queue.await(2);

            dead.kill(console);
            assertThat(first.release()).isTrue();

            List<RecordedHold> holds = next.awaitPassed(1);
            assertThat(holds.get(0).fence()).isGreaterThan(first.fencingToken());
            queue.await(0);
            assertThat(console.text("EXISTS", KEY)).as("lock key on the server").isEqualTo("0");
        }
    }
}
