package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.FencingCounter;
import io.keyhold.tests.Setup;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three processes take one permit each, again and again. A request for all permits is served in order: there are
 * no more grants before it than entries before it in the queue.
 */
@Tag("full")
@Tag("alone")
class LargeRequestTest {

    private static final String KEY = "gpu";
    private static final int PERMITS = 4;
    private static final int THREADS = 3;
    private static final int PASSES = 100;
    private static final int ROUNDS = 5;

    /** One sample of the server: its last grant, and the queue. */
    private static final String SAMPLE = "return {redis.call('GET', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, -1)}";

    @Test
    void smallRequestsDoNotStarveLargeOne() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold large = Setup.JEDIS_SCRIPTS
                        .client(server.uri())
                        .clientName("large")
                        .build()) {
            HolderOptions terms = HolderOptions.semaphore(PERMITS, HolderOptions.LEASE);
            try (HolderJvm a = HolderJvm.start("small-a", Setup.JEDIS_SCRIPTS, server.uri(), KEY, terms);
                    HolderJvm b = HolderJvm.start("small-b", Setup.LETTUCE_SCRIPTS, server.uri(), KEY, terms);
                    HolderJvm c = HolderJvm.start("small-c", Setup.JEDIS_SCRIPTS, server.uri(), KEY, terms)) {
                List<HolderJvm> small = List.of(a, b, c);
                int rounds = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    rounds += judge(large, small, console) ? 1 : 0;
                }
                assertThat(rounds)
                        .as("rounds with holds after it: they kept coming")
                        .isPositive();
            }
        }
    }

    /** Returns whether small requests were served after it: on a slow machine all of them may come before. */
    private static boolean judge(Keyhold large, List<HolderJvm> small, Console console) throws Exception {
        Lease first = large.semaphore(KEY, PERMITS).acquire(1);
        for (HolderJvm jvm : small) {
            for (int i = 0; i < THREADS; i++) {
                jvm.pass("thread-" + i, PASSES, 0);
            }
        }
        // The small requests run; and while the first permit is held, the large one stays visible in the queue.
        List<RecordedHold> holds = new ArrayList<>();
        for (HolderJvm jvm : small) {
            holds.addAll(jvm.awaitPassed(10));
        }
        var request = large.semaphore(KEY, PERMITS).acquireAsync(PERMITS);
        QueueSample queue = QueueSample.take(console);
        while (queue.position("large") < 0) {
            queue = QueueSample.take(console);
        }
        assertThat(first.release()).isTrue();
        long fence;
        try (Lease lease = request.join()) {
            fence = lease.fencingToken();
        }
        for (HolderJvm jvm : small) {
            holds.addAll(jvm.awaitPassed(THREADS * PASSES - 10));
        }
        long seen = queue.grant();
        assertThat(holds.stream().filter(hold -> hold.fence() > seen && hold.fence() < fence))
                .as("holds between the grant " + seen
                        + " and that of the large request, which had this queue before it: " + queue)
                .hasSizeLessThanOrEqualTo(queue.position("large"));
        return holds.stream().anyMatch(hold -> hold.fence() > fence);
    }

    /** The queue, first to last, after this grant. */
    private record QueueSample(long grant, List<String> places) {

        static QueueSample take(Console console) {
            List<?> reply =
                    (List<?>) console.ask("EVAL", SAMPLE, "2", FencingCounter.of(KEY), "{" + KEY + "}:kh:waiters");
            if (reply == null) {
                throw new AssertionError("no reply");
            }
            List<?> places = (List<?>) reply.get(1);
            return new QueueSample(
                    Long.parseLong(String.valueOf(reply.get(0))),
                    places.stream().map(String::valueOf).toList());
        }

        /** Returns how many entries are before it; -1 if it is not in the queue. */
        int position(String client) {
            for (int i = 0; i < places.size(); i++) {
                if (places.get(i).contains(client + "@")) {
                    return i;
                }
            }
            return -1;
        }
    }
}
