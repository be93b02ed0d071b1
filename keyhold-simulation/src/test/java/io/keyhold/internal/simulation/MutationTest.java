package io.keyhold.internal.simulation;

import static org.assertj.core.api.Assertions.fail;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation finds each mutant. */
class MutationTest {

    /** The rarest mutant, renewals that are not acknowledged, is found by about one seed in 500. */
    private static final int MOST_SEEDS = 2_500;

    /** One for each check of the simulation, and one of durable grants. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "RELEASE_WITHOUT_COMPARE",
                "NO_WRITE_BACK",
                "NO_FENCING",
                "ENTRY_KEPT_ON_WITHDRAWAL",
                "RELEASE_ON_A_DEAD_CONNECTION",
                "WAITER_FAILS_WITH_ITS_STORE",
                "NO_QUARANTINE_AFTER_PROMOTION"
            })
    void oneMutantPerCheckIsFound(Mutant mutant) {
        find(mutant);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void allMutantsAreFound(Mutant mutant) {
        find(mutant);
    }

    private static void find(Mutant mutant) {
        for (int seed = 1; seed <= MOST_SEEDS; seed++) {
            Optional<Violation> found = new Run(mutant.scenario(), seed, mutant.mutation(), 1)
                    .go()
                    .violation()
                    .filter(mutant::isSeenAs);
            if (found.isPresent()) {
                System.out.println(mutant + " was found with seed " + seed + ": "
                        + found.get().getMessage());
                return;
            }
        }
        fail("%s was not found with %d seeds", mutant, MOST_SEEDS);
    }
}
