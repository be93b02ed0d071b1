package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Everything at once, on a few keys: processes of every kind whose threads wait, try, time out, are interrupted, cancel and
 * overstay, while connections are cut and processes are killed and stopped. No two hold a lock at the same time, nor more permits
 * than there are, no waiter sleeps past a free lock, and nothing is left when it is over. On a quorum the servers die, forget, stop
 * and are cut off as well: work goes on with a majority, stops without one, and goes on by itself.
 *
 * <p>{@code -Dkeyhold.chaos.seconds=300 -Dkeyhold.chaos.seed=42} runs longer, or by the plan of an earlier run.
 */
@Tag("full")
class ChaosTest {

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    @SuppressWarnings("SystemOut")
    void holdsAreExclusiveWaitersAreServedAndNothingIsLeft(ChaosKind kind) throws Exception {
        ChaosSettings settings = ChaosSettings.fromProperties(kind);
        System.out.println("chaos run: " + settings);
        try (ChaosRun run = ChaosRun.of(settings)) {
            Verdict verdict = new Verdict(kind, run.ledger);
            run.cause();
            verdict.awaitEnough();
            run.stopWorkers();
            run.inspectRemains();
            verdict.add(run.findings);
            verdict.judge();

            String story = settings + ": " + run.statistics() + "; " + verdict.statistics();
            System.out.println(story);
            assertThat(verdict.failures())
                    .as(() -> story + verdict.lastEvents() + "\nfailures")
                    .isEmpty();
            assertThat(run.wasEnough()).as(story).isTrue();
        }
    }
}
