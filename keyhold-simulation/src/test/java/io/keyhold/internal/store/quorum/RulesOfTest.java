package io.keyhold.internal.store.quorum;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.RaiseRequest;
import io.keyhold.internal.time.Scheduler;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/** A quorum's rules, right and wrong, for tests in other packages. */
@SuppressWarnings("ImmutableEnumChecker") // Nobody changes what it is made of.
public enum RulesOfTest {
    RIGHT(new QuorumRules()),

    HALF_IS_ENOUGH(new QuorumRules() {
        @Override
        boolean isMajority(int some, int all) {
            return 2 * some >= all;
        }
    }),

    NOTHING_GOES_BACK(new QuorumRules() {
        @Override
        boolean givesBack() {
            return false;
        }
    }),

    NO_QUARANTINE(new QuorumRules() {
        @Override
        boolean heedsQuarantine() {
            return false;
        }
    }),

    NO_WRITE_BACK(new QuorumRules() {
        @Override
        CompletionStage<Boolean> raise(NodeStore node, RaiseRequest request) {
            return CompletableFuture.completedStage(true);
        }
    }),

    ABOVE_THE_SMALLEST(new QuorumRules() {
        @Override
        long above(List<Long> answers) {
            return Collections.min(answers) + LockValue.STRIDE;
        }
    });

    private final QuorumRules rules;

    RulesOfTest(QuorumRules rules) {
        this.rules = rules;
    }

    /** A store by these rules. */
    public LockStore store(
            List<NodeStore> nodes,
            QuorumSettings settings,
            KeyholdClock clock,
            Scheduler scheduler,
            RandomGenerator random) {
        return new QuorumStore(nodes, settings, rules, clock, scheduler, random);
    }
}
