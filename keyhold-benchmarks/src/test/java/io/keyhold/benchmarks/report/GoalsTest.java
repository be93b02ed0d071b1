package io.keyhold.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.benchmarks.contender.Contender;
import io.keyhold.benchmarks.shape.Footprint;
import io.keyhold.benchmarks.shape.Measurement;
import io.keyhold.benchmarks.statistics.Latencies;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GoalsTest {
    @Test
    void ratioIsComparedWithItsLimit() {
        List<Goal> goals = Goals.evaluate(List.of(Samples.result(
                "own-1",
                Map.of(
                        Contender.KEYHOLD_JEDIS, Samples.figures(2, 850),
                        Contender.RAW_JEDIS, Samples.figures(2, 1000),
                        Contender.REDISSON, Samples.figures(2, 500)))));
        assertThat(goals)
                .filteredOn(goal -> goal.text().startsWith("own-1"))
                .containsExactly(
                        new Goal(
                                "own-1: Keyhold, Jedis at least 0.75× SET NX + script, Jedis",
                                Goal.Verdict.MET,
                                "0.85×"),
                        new Goal("own-1: Keyhold, Jedis at least 2× Redisson RLock", Goal.Verdict.MISSED, "1.70×"));
    }

    @Test
    void commandsPerHoldAreLimited() {
        List<Goal> goals = Goals.evaluate(List.of(
                Samples.result("one-key-4x3", Map.of(Contender.KEYHOLD_JEDIS_STRICT, Samples.figures(11, 100))),
                Samples.result("waiters-200", Map.of(Contender.KEYHOLD_JEDIS_STRICT, Samples.figures(11.1, 100)))));
        assertThat(goals)
                .filteredOn(goal -> goal.text().endsWith("commands per hold"))
                .extracting(Goal::verdict)
                .containsExactly(Goal.Verdict.MET, Goal.Verdict.MISSED);
    }

    @Test
    void betterOfTwoKindsIsReference() {
        Map<Contender, Figures> figures = Map.of(
                Contender.KEYHOLD_JEDIS, Samples.figures(2, 400),
                Contender.REDISSON_SEMAPHORE, Samples.figures(2, 101),
                Contender.REDISSON_EXPIRABLE, Samples.figures(2, 50));
        assertThat(Goals.evaluate(List.of(Samples.result("semaphore-4x3", figures))))
                .contains(new Goal(
                        "semaphore-4x3: Keyhold, Jedis at least 4× Redisson RSemaphore and Redisson expirable"
                                + " semaphore",
                        Goal.Verdict.MISSED,
                        "3.96× Redisson RSemaphore"));
    }

    @Test
    void referenceNeedsBothKinds() {
        Map<Contender, Figures> figures = Map.of(
                Contender.KEYHOLD_JEDIS, Samples.figures(2, 400),
                Contender.REDISSON_EXPIRABLE, Samples.figures(2, 50));
        assertThat(Goals.evaluate(List.of(Samples.result("semaphore-4x3", figures))))
                .allMatch(goal -> goal.verdict() == Goal.Verdict.NOT_MEASURED);
    }

    @Test
    void slowdownIsLimited() {
        Map<Contender, Figures> figures = Map.of(
                Contender.KEYHOLD_JEDIS, Samples.figures(2, 1.2),
                Contender.KEYHOLD_LETTUCE, Samples.figures(2, 1.3));
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
    void renewalHasThreeGoals() {
        Figures figures = new Figures();
        Footprint footprint = new Footprint(0.04, 1600);
        figures.add(new Measurement(100, 3, 0, 0, 2, new Latencies(), Map.of(), Optional.of(footprint)));
        assertThat(Goals.evaluate(
                        List.of(Samples.result("renewal-100000", Map.of(Contender.KEYHOLD_LETTUCE, figures)))))
                .contains(
                        new Goal("renewal-100000: Keyhold, Lettuce at most 0 leases lost", Goal.Verdict.MISSED, "2"),
                        new Goal("renewal-100000: Keyhold, Lettuce at most 5 % of a core", Goal.Verdict.MET, "4 %"),
                        new Goal(
                                "renewal-100000: Keyhold, Lettuce at most 1,500 B of heap per lease",
                                Goal.Verdict.MISSED,
                                "1,600 B"));
    }

    @Test
    void goalWithoutItsShapeIsNotMeasured() {
        assertThat(Goals.evaluate(List.of())).hasSize(29).allMatch(goal -> goal.verdict() == Goal.Verdict.NOT_MEASURED);
    }
}
