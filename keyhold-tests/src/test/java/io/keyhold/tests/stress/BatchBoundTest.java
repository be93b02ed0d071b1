package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.tests.Console;
import io.keyhold.tests.ServerQueue;
import io.keyhold.tests.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * With {@code Fairness.BATCHED}, the local hand-overs of a process stay within their bounds while other processes wait.
 *
 * <p>No round needs a clock to know which processes wait: the greedy process has one thread in the queue of the server, then
 * two other processes join the queue, and only then many more threads of the greedy one follow. Fencing tokens show afterwards
 * in which order all were served.
 */
@Tag("full")
@Tag("alone")
class BatchBoundTest {

    private static final String KEY = "invoice:42";
    private static final int THREADS = 12;
    private static final int ROUNDS = 5;
    private static final Duration NO_LIMIT = Duration.ofMinutes(1);

    @ParameterizedTest
    @EnumSource(
            value = Setup.class,
            names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void localHandOversAreLimitedInNumber(Setup setup) throws Exception {
        int handOvers = 3;
        for (List<RecordedHold> served : rounds(setup, HolderOptions.lock(Fairness.BATCHED, handOvers, NO_LIMIT), 0)) {
            // The grant from the server, and the local hand-overs that follow it. One alone would mean no local
            // hand-over.
            assertThat(firstRun(served)).hasSizeBetween(2, handOvers + 1);
            assertOthersCameNext(served);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Setup.class,
            names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void localHandOversAreLimitedInTime(Setup setup) throws Exception {
        Duration time = Duration.ofMillis(40);
        for (List<RecordedHold> served : rounds(setup, HolderOptions.lock(Fairness.BATCHED, 63, time), 15)) {
            List<RecordedHold> run = firstRun(served);
            // Sound on any machine: the batch was granted before its first holder knew, and a hand-over begins after
            // the call that makes it.
            for (RecordedHold handedOver : run.subList(0, run.size() - 1)) {
                assertThat(handedOver.releasingNanos() - run.get(0).grantedNanos())
                        .as("from the grant of the batch until the hand-over by " + handedOver + ", in " + served)
                        .isLessThanOrEqualTo(time.toNanos());
            }
            assertOthersCameNext(served);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Setup.class,
            names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void longFirstHoldEndsBatch(Setup setup) throws Exception {
        for (List<RecordedHold> served :
                rounds(setup, HolderOptions.lock(Fairness.BATCHED, 63, Duration.ofMillis(10)), 15)) {
            assertThat(firstRun(served)).hasSize(1);
            assertOthersCameNext(served);
        }
    }

    /** The holds of each round, in the order of their fencing tokens. */
    private static List<List<RecordedHold>> rounds(Setup setup, HolderOptions terms, long holdMillis) throws Exception {
        List<List<RecordedHold>> rounds = new ArrayList<>();
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Console console = new Console(server.uri());
                Keyhold holder = setup.client(server.uri()).build();
                HolderJvm greedy = HolderJvm.start("greedy", setup, server.uri(), KEY, terms);
                HolderJvm second = HolderJvm.start("second", setup, server.uri(), KEY, terms);
                HolderJvm third = HolderJvm.start("third", setup, server.uri(), KEY, terms)) {
            ServerQueue queue = new ServerQueue(console, KEY);
            for (int round = 0; round < ROUNDS; round++) {
                Lease lease = holder.lock(KEY, terms.options()).acquire();
                greedy.pass("first", 1, holdMillis);
                queue.await(1);
                second.pass("second");
                queue.await(2);
                third.pass("third");
                queue.await(3);
                for (int i = 1; i < THREADS; i++) {
                    greedy.pass("thread-" + i, 1, holdMillis);
                }
                greedy.awaitWaiting(THREADS);
                assertThat(lease.release()).isTrue();

                List<RecordedHold> served = new ArrayList<>(greedy.awaitPassed(THREADS));
                served.addAll(second.awaitPassed(1));
                served.addAll(third.awaitPassed(1));
                served.sort(Comparator.comparingLong(RecordedHold::fence));
                rounds.add(served);
            }
        }
        return rounds;
    }

    /** The holds of the greedy process until another was served. */
    private static List<RecordedHold> firstRun(List<RecordedHold> served) {
        List<RecordedHold> run =
                served.stream().takeWhile(hold -> hold.jvm().equals("greedy")).toList();
        assertThat(run)
                .as("the greedy process was at the head of the queue: " + served)
                .isNotEmpty();
        return run;
    }

    /** Both were in the queue before the greedy process could join it again. */
    private static void assertOthersCameNext(List<RecordedHold> served) {
        int end = firstRun(served).size();
        assertThat(served.subList(end, end + 2)).extracting(RecordedHold::jvm).containsExactly("second", "third");
    }
}
