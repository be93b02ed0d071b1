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
 * Three processes take one permit each, again and again. A request for all permits is served when its turn comes: no more
 * grants come before it than there were in line before it.
 */
@Tag("full")
class LargeRequestTest {

    private static final String KEY = "gpu";
    private static final int PERMITS = 4;
    private static final int THREADS = 3;
    private static final int PASSES = 100;
    private static final int ROUNDS = 5;

    /** One look at the server: its last grant, and those in line. */
    private static final String LOOK = "return {redis.call('GET', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, -1)}";

    @Test
    void smallRequestsDoNotStarveALargeOne() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold large = Setup.JEDIS_SCRIPTS
                        .client(server.uri())
                        .clientName("large")
                        .build()) {
            Terms terms = Terms.semaphore(PERMITS, Terms.LEASE);
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

    /** Answers whether small ones were served after it: on a slow machine they may all have passed by then. */
    private static boolean judge(Keyhold large, List<HolderJvm> small, Console console) throws Exception {
        Lease first = large.semaphore(KEY, PERMITS).acquire(1);
        for (HolderJvm jvm : small) {
            for (int i = 0; i < THREADS; i++) {
                jvm.pass("thread-" + i, PASSES, 0);
            }
        }
        // They are at it; and as long as the first permit is held, the large one stays in line where it can be seen.
        List<Hold> holds = new ArrayList<>();
        for (HolderJvm jvm : small) {
            holds.addAll(jvm.awaitPassed(10));
        }
        var request = large.semaphore(KEY, PERMITS).acquireAsync(PERMITS);
        Line line = Line.look(console);
        while (line.position("large") < 0) {
            line = Line.look(console);
        }
        assertThat(first.release()).isTrue();
        long fence;
        try (Lease lease = request.join()) {
            fence = lease.fencingToken();
        }
        for (HolderJvm jvm : small) {
            holds.addAll(jvm.awaitPassed(THREADS * PASSES - 10));
        }
        long seen = line.grant();
        assertThat(holds.stream().filter(hold -> hold.fence() > seen && hold.fence() < fence))
                .as("holds between the grant " + seen
                        + " and that of the large request, of which those were in line before it: " + line)
                .hasSizeLessThanOrEqualTo(line.position("large"));
        return holds.stream().anyMatch(hold -> hold.fence() > fence);
    }

    /** Those in line, first to last, after this grant. */
    private record Line(long grant, List<String> places) {

        static Line look(Console console) {
            List<?> reply =
                    (List<?>) console.ask("EVAL", LOOK, "2", FencingCounter.of(KEY), "{" + KEY + "}:kh:waiters");
            if (reply == null) {
                throw new AssertionError("no reply");
            }
            List<?> places = (List<?>) reply.get(1);
            return new Line(
                    Long.parseLong(String.valueOf(reply.get(0))),
                    places.stream().map(String::valueOf).toList());
        }

        /** How many are before it; -1 if it is not in line. */
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
