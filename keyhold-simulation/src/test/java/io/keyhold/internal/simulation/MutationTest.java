package io.keyhold.internal.simulation;

import static org.assertj.core.api.Assertions.fail;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Puts mistakes into the code, and sees that the simulation finds each of them. */
class MutationTest {

    private static final int MOST_SEEDS = 500;

    @ParameterizedTest
    @EnumSource
    void isFound(Mistake mistake) {
        for (int seed = 1; seed <= MOST_SEEDS; seed++) {
            Optional<Violation> found = new Run(mistake.scenario(), seed, mistake, 1)
                    .go()
                    .violation()
                    .filter(mistake::isSeenAs);
            if (found.isPresent()) {
                System.out.println(mistake + " was found with seed " + seed + ": "
                        + found.get().getMessage());
                return;
            }
        }
        fail("%s was not found with %d seeds", mistake, MOST_SEEDS);
    }
}
