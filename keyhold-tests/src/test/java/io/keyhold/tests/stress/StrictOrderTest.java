package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With {@code Fairness.STRICT}, waiters of all processes get the lock in the order of their requests. */
@Tag("full")
@Tag("alone")
class StrictOrderTest {

    private static final String KEY = "invoice:42";

    /** Both drivers in one queue. Clients with transactions are not in it: they poll. */
    private static final List<Setup> SETUPS = List.of(Setup.JEDIS_SCRIPTS, Setup.LETTUCE_SCRIPTS, Setup.JEDIS_SCRIPTS);

    @Test
    void waitersOfThreeProcessesAreServedInOrder() throws Exception {
        serve(24);
    }

    @Test
    @Tag("nightly")
    void threeHundredWaiters() throws Exception {
        serve(300);
    }

    private static void serve(int waiters) throws Exception {
        List<HolderJvm> jvms = new ArrayList<>();
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold holder = SETUPS.get(0).client(server.uri()).build()) {
            for (Setup setup : SETUPS) {
                jvms.add(HolderJvm.start("jvm-" + jvms.size(), setup, server.uri(), KEY, HolderOptions.STRICT));
            }
            ServerQueue queue = new ServerQueue(console, KEY);
            List<String> joined = new ArrayList<>();
            Lease first = holder.lock(KEY, HolderOptions.STRICT.options()).acquire();
            for (int i = 0; i < waiters; i++) {
                joined.add("waiter-" + i);
                jvms.get(i % jvms.size()).pass("waiter-" + i);
                queue.await(i + 1);
            }
            assertThat(first.release()).isTrue();

            List<RecordedHold> holds = new ArrayList<>();
            for (int i = 0; i < waiters; i++) {
                holds.addAll(jvms.get(i % jvms.size()).awaitPassed(1));
            }
            holds.sort(Comparator.comparingLong(RecordedHold::fence));
            assertThat(holds).extracting(RecordedHold::name).containsExactlyElementsOf(joined);
            assertThat(holds)
                    .extracting(RecordedHold::fence)
                    .doesNotHaveDuplicates()
                    .allMatch(f -> f > first.fencingToken());
            queue.await(0);
        } finally {
            jvms.forEach(HolderJvm::close);
        }
    }
}
