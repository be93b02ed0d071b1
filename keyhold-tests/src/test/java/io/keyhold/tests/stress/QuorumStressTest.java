package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Locks on five servers that die, forget, stand still and are cut off under load: nobody holds a lock beside another, fencing
 * tokens grow, work goes on with a majority, stops without one, and goes on by itself.
 *
 * <p>{@code -Dkeyhold.stress.seconds=300 -Dkeyhold.stress.seed=42} storms longer, or by the plan of an earlier run.
 */
class QuorumStressTest {

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    @SuppressWarnings("SystemOut")
    void nobodyIsBesideAnotherAndWorkGoesOnWithAMajority() throws Exception {
        StormSettings settings = StormSettings.fromProperties(StormKind.QUORUM);
        System.out.println("storm: " + settings);
        try (QuorumStorm storm = new QuorumStorm(settings)) {
            Verdict verdict = new Verdict(StormKind.QUORUM, storm.ledger());
            storm.rage();
            verdict.awaitEnough();
            storm.calm();
            storm.inspectRemains();
            verdict.add(storm.findings());
            verdict.judge();

            String story = settings + ": " + storm.statistics() + "; " + verdict.statistics();
            System.out.println(story);
            assertThat(verdict.failures())
                    .as(() -> story + verdict.lastEvents() + "\nfailures")
                    .isEmpty();
            assertThat(storm.wasOne()).as(story).isTrue();
        }
    }
}
