package io.keyhold.tests.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyhold.embedded.EmbeddedRedis;
import io.keyhold.internal.store.QueuePlace;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/**
 * Everything at once, on a few keys: processes of every kind whose threads wait, try, time out, are interrupted, cancel and
 * overstay, while lines are cut and processes are killed and stopped. Nobody holds a lock beside another, nor more permits
 * than there are, no waiter sleeps past a free lock, and nothing is left when it is over.
 *
 * <p>{@code -Dkeyhold.stress.seconds=300 -Dkeyhold.stress.seed=42} storms longer, or by the plan of an earlier run.
 */
class StressTest {

    /**
     * When the last holder's lease has ended, nobody comes who would find that those in line are dead, and their places stay
     * for as long as places are kept.
     */
    private static final Duration GONE_WITHIN =
            StormSettings.LONGEST_LEASE.plusMillis(QueuePlace.KEPT_MILLIS).plusSeconds(5);

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUORUM")
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    @SuppressWarnings("SystemOut")
    void nobodyIsBesideAnotherNobodyIsForgottenAndNothingIsLeft(StormKind kind) throws Exception {
        StormSettings settings = StormSettings.fromProperties(kind);
        System.out.println("storm: " + settings);
        try (EmbeddedRedis server = EmbeddedRedis.start();
                Jedis redis = new Jedis(server.host(), server.port(), 20_000);
                Storm storm = new Storm(settings, server)) {
            Verdict verdict = new Verdict(kind, redis);
            StormMonitor monitor = new StormMonitor(kind, server.host(), server.port());
            try {
                storm.rage();
                verdict.awaitEnough();
                storm.calm();
            } finally {
                monitor.stop();
            }
            verdict.add(storm.findings());
            verdict.add(monitor.findings());
            verdict.judge();
            verdict.add(Leftovers.after(GONE_WITHIN, redis));
            verdict.add(new Afterwards(kind, server.uri(), redis).findings());

            String story =
                    settings + ": " + storm.statistics() + "; " + monitor.statistics() + "; " + verdict.statistics();
            System.out.println(story);
            assertThat(verdict.failures())
                    .as(() -> story + verdict.lastEvents() + "\nfailures")
                    .isEmpty();
            assertThat(storm.wasOne()).as(story).isTrue();
        }
    }
}
