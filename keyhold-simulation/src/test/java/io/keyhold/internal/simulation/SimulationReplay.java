package io.keyhold.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Runs one seed once more, and writes down all that happens: {@code mvn -pl keyhold-simulation -am test
 * -Dsurefire.failIfNoSpecifiedTests=false -Dtest=SimulationReplay -Dkeyhold.simulation.scenario=CHAOS_QUORUM
 * -Dkeyhold.simulation.seed=42}. By its name it is no test that runs by itself.
 */
class SimulationReplay {

    private static final int ALL_LINES = 1_000_000;

    @Test
    void replay() throws IOException {
        Scenarios scenario =
                Scenarios.valueOf(System.getProperty("keyhold.simulation.scenario", Scenarios.CHAOS_QUORUM.name()));
        long seed = Long.getLong("keyhold.simulation.seed", 1);
        Run.Result result = new Run(scenario.scenario(), seed, Mutation.NONE, ALL_LINES).go();
        Path file = Path.of("target", "simulation", scenario + "-" + seed + ".txt");
        Files.createDirectories(file.getParent());
        Files.writeString(file, result.trace());
        System.out.println("what happened is in " + file.toAbsolutePath());
        assertThat(result.violation()).isEmpty();
    }
}
