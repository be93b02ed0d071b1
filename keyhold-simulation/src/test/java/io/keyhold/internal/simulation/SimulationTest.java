package io.keyhold.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The real engine, many clients of it, on one thread, while networks, servers, processes and clocks fail. See
 * {@code docs/simulation.md}.
 */
class SimulationTest {

    private static final int FIXED_SEEDS = Integer.getInteger("keyhold.simulation.seeds", 15);

    /** How long to go on with fresh seeds. */
    private static final long SECONDS = Long.getLong("keyhold.simulation.seconds", 15);

    @ParameterizedTest
    @EnumSource
    void holdsWithFixedSeeds(Scenarios scenario) {
        Tally tally = new Tally();
        for (long seed = 1; seed <= FIXED_SEEDS; seed++) {
            tally.add(scenario.run(seed));
        }
        assertThat(tally.grants())
                .as("leases: where nothing happens, nothing is found")
                .isGreaterThan(5L * FIXED_SEEDS);
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void holdsWithFreshSeeds() {
        SplittableRandom seeds = new SplittableRandom();
        Tally tally = new Tally();
        while (tally.seconds() < SECONDS) {
            for (Scenarios scenario : Scenarios.values()) {
                tally.add(scenario.run(seeds.nextLong(1_000_000, Long.MAX_VALUE)));
            }
        }
        System.out.println("simulation: " + tally);
    }

    /** Each has found something once. */
    @ParameterizedTest
    @CsvSource({
        "CHAOS_ALL_OF, 6824480878253903747",
        "CALM_MUTEX, 5136706928592020134",
        "CHAOS_MUTEX, 1668434912599374855",
        "CALM_QUORUM, 1683611163295710436",
        "CALM_QUORUM, 1961349148645963940",
        "CHAOS_QUORUM, 2762780383413999670"
    })
    void holdsWithSeedsThatFoundBugs(Scenarios scenario, long seed) {
        scenario.run(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = 4711)
    void sameSeedGivesSameRun(long seed) {
        for (Scenarios scenario : Scenarios.values()) {
            assertThat(scenario.run(seed).hash())
                    .as("%s %d", scenario, seed)
                    .isEqualTo(scenario.run(seed).hash());
        }
    }
}
