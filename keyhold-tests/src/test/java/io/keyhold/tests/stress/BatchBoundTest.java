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
 * With {@code Fairness.BATCHED}, a process passes the lock among its threads no further than its bounds, while others
 * wait.
 *
 * <p>Each round is set up so that no clock is needed to know who waits: the greedy process has one thread in the queue
 * at the server, then two other processes are seen there, and only then many more threads of the greedy one come.
 * Fencing tokens tell afterwards in which order all were served.
 */
@Tag("full")
class BatchBoundTest {

    private static final String KEY = "invoice:42";
    private static final int THREADS = 12;
    private static final int ROUNDS = 5;
    private static final Duration NO_LIMIT = Duration.ofMinutes(1);

    @ParameterizedTest
    @EnumSource(
            value = Setup.class,
            names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void noMoreThanSoManyPasses(Setup setup) throws Exception {
        int passes = 3;
        for (List<Hold> served : rounds(setup, Terms.lock(Fairness.BATCHED, passes, NO_LIMIT), 0)) {
            // The grant from the server, and the passes that follow it. One alone would mean that nothing was passed.
            assertThat(firstRun(served)).hasSizeBetween(2, passes + 1);
            assertOthersCameNext(served);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Setup.class,
            names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void noPassBeginsAfterTheTime(Setup setup) throws Exception {
        Duration time = Duration.ofMillis(40);
        for (List<Hold> served : rounds(setup, Terms.lock(Fairness.BATCHED, 63, time), 15)) {
            List<Hold> run = firstRun(served);
            // Sound on any machine: the batch was granted before its first holder knew, and a pass begins after the
            // call that makes it.
            for (Hold passedOn : run.subList(0, run.size() - 1)) {
                assertThat(passedOn.releasingNanos() - run.get(0).grantedNanos())
                        .as("from the batch's grant until " + passedOn + " passed it on, in " + served)
                        .isLessThanOrEqualTo(time.toNanos());
            }
            assertOthersCameNext(served);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Setup.class,
            names = {"JEDIS_SCRIPTS", "LETTUCE_SCRIPTS"})
    void nothingIsPassedWhenTheFirstHoldOutlivedTheTime(Setup setup) throws Exception {
        for (List<Hold> served : rounds(setup, Terms.lock(Fairness.BATCHED, 63, Duration.ofMillis(10)), 15)) {
            assertThat(firstRun(served)).hasSize(1);
            assertOthersCameNext(served);
        }
    }

    /** The holds of each round, in the order of their fencing tokens. */
    private static List<List<Hold>> rounds(Setup setup, Terms terms, long holdMillis) throws Exception {
        List<List<Hold>> rounds = new ArrayList<>();
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

                List<Hold> served = new ArrayList<>(greedy.awaitPassed(THREADS));
                served.addAll(second.awaitPassed(1));
                served.addAll(third.awaitPassed(1));
                served.sort(Comparator.comparingLong(Hold::fence));
                rounds.add(served);
            }
        }
        return rounds;
    }

    /** The holds of the greedy process until another was served. */
    private static List<Hold> firstRun(List<Hold> served) {
        List<Hold> run =
                served.stream().takeWhile(hold -> hold.jvm().equals("greedy")).toList();
        assertThat(run).as("the greedy process was first in line: " + served).isNotEmpty();
        return run;
    }

    /** Both were in line before the greedy process could be there again. */
    private static void assertOthersCameNext(List<Hold> served) {
        int end = firstRun(served).size();
        assertThat(served.subList(end, end + 2)).extracting(Hold::jvm).containsExactly("second", "third");
    }
}
