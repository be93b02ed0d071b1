package io.keyhold.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.benchmarks.contender.Entrant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoalsTest {
    @Test
    void ratiosAreHeldAgainstTheirLimits() {
        List<Goal> goals = Goals.evaluate(List.of(Samples.result(
                "own-1",
                Map.of(
                        Entrant.KEYHOLD_JEDIS, Samples.figures(2, 850),
                        Entrant.RAW_JEDIS, Samples.figures(2, 1000),
                        Entrant.REDISSON, Samples.figures(2, 500)))));
        assertThat(goals)
                .filteredOn(goal -> goal.text().startsWith("own-1"))
                .containsExactly(
                        new Goal(
                                "own-1: Keyhold, Jedis at least 0.85× SET NX + script, Jedis",
                                Goal.Verdict.MET,
                                "0.85×"),
                        new Goal("own-1: Keyhold, Jedis at least 2× Redisson RLock", Goal.Verdict.MISSED, "1.70×"));
    }

    @Test
    void fewerCommandsAreBetter() {
        List<Goal> goals = Goals.evaluate(List.of(
                Samples.result("one-key-4x3", Map.of(Entrant.KEYHOLD_JEDIS_STRICT, Samples.figures(11, 100))),
                Samples.result("waiters-200", Map.of(Entrant.KEYHOLD_JEDIS_STRICT, Samples.figures(11.1, 100)))));
        assertThat(goals)
                .filteredOn(goal -> goal.text().endsWith("commands per hold"))
                .extracting(Goal::verdict)
                .containsExactly(Goal.Verdict.MET, Goal.Verdict.MISSED);
    }

    @Test
    void theBetterOfTwoKindsIsTheYardstick() {
        Map<Entrant, Figures> figures = Map.of(
                Entrant.KEYHOLD_JEDIS, Samples.figures(2, 400),
                Entrant.REDISSON_SEMAPHORE, Samples.figures(2, 101),
                Entrant.REDISSON_EXPIRABLE, Samples.figures(2, 50));
        assertThat(Goals.evaluate(List.of(Samples.result("semaphore-4x3", figures))))
                .contains(new Goal(
                        "semaphore-4x3: Keyhold, Jedis at least 4× Redisson RSemaphore and Redisson expirable semaphore",
                        Goal.Verdict.MISSED,
                        "3.96× Redisson RSemaphore"));
    }

    @Test
    void oneOfTwoKindsAloneIsNoYardstick() {
        Map<Entrant, Figures> figures = Map.of(
                Entrant.KEYHOLD_JEDIS, Samples.figures(2, 400),
                Entrant.REDISSON_EXPIRABLE, Samples.figures(2, 50));
        assertThat(Goals.evaluate(List.of(Samples.result("semaphore-4x3", figures))))
                .allMatch(goal -> goal.verdict() == Goal.Verdict.NOT_MEASURED);
    }

    @Test
    void lessSlowdownIsBetter() {
        Map<Entrant, Figures> figures = Map.of(
                Entrant.KEYHOLD_JEDIS, Samples.figures(2, 1.2),
                Entrant.KEYHOLD_LETTUCE, Samples.figures(2, 1.3));
        assertThat(Goals.evaluate(List.of(Samples.result("quorum-one-stopped", figures))))
                .contains(
                        new Goal(
                                "quorum-one-stopped: Keyhold, Jedis at most 1.20× the time with all up",
                                Goal.Verdict.MET,
                                "1.20×"),
                        new Goal(
                                "quorum-one-stopped: Keyhold, Lettuce at most 1.20× the time with all up",
                                Goal.Verdict.MISSED,
                                "1.30×"));
    }

    @Test
    void whatDidNotRunIsNeitherMetNorMissed() {
        assertThat(Goals.evaluate(List.of())).hasSize(21).allMatch(goal -> goal.verdict() == Goal.Verdict.NOT_MEASURED);
    }
}
