package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Everything at once, on a few keys: processes of every kind whose threads wait, try, time out, are interrupted, cancel and
 * overstay, while connections are cut and processes are killed and stopped. Holds do not overlap beyond the number of permits, no
 * waiter sleeps past a free lock, and nothing is left at the end. On a quorum the servers die, lose their data, stop and are cut off
 * as well: work continues with a majority, stops without one, and resumes by itself.
 *
 * <p>{@code -Dkeyhold.chaos.seconds=300 -Dkeyhold.chaos.seed=42} runs longer, or by the plan of an earlier run.
 */
@Tag("full")
@Tag("alone")
class ChaosTest {

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    @SuppressWarnings("SystemOut")
    void exclusionAndProgressHoldUnderFaults(ChaosKind kind) throws Exception {
        ChaosSettings settings = ChaosSettings.fromProperties(kind);
        System.out.println("chaos run: " + settings);
        try (ChaosRun run = ChaosRun.of(settings)) {
            ChaosReport report = new ChaosReport(kind, run.ledger);
            run.cause();
            report.awaitEnough();
            run.stopWorkers();
            run.inspectRemains();
            report.add(run.findings);
            report.judge();

            String story = settings + ": " + run.statistics() + "; " + report.statistics();
            System.out.println(story);
            assertThat(report.failures())
                    .as(() -> story + report.lastEvents() + "\nfailures")
                    .isEmpty();
            assertThat(run.wasEnough()).as(story).isTrue();
        }
    }
}
