package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.LockValue;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.RaiseRequest;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The decisions that a quorum's safety rests on, in one place, so that a test can put wrong ones in their stead and see that it
 * notices.
 */
class QuorumRules {

    /** More than half, so that any two majorities share a node. */
    boolean isMajority(int some, int all) {
        return 2 * some > all;
    }

    /** The token of the second round: above all answers of the first. */
    long above(List<Long> answers) {
        return Collections.max(answers) + LockValue.STRIDE;
    }

    /** The second round of a fencing token, at one node that granted in the first. */
    CompletionStage<Boolean> raise(NodeStore node, RaiseRequest request) {
        return node.raise(request);
    }

    /** Whether what a request may have got goes back when it has not got a majority. */
    boolean givesBack() {
        return true;
    }

    /** Whether a node that may have lost its memory stays out of votes. */
    boolean heedsQuarantine() {
        return true;
    }
}
