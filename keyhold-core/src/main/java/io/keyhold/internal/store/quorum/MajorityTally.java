package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.VotingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Tallies the replies of nodes about one hold: done, or not held. Decided as soon as no further reply can change the result. */
final class MajorityTally {

    /** What is decided. */
    enum Purpose {
        /** The hold goes on if a majority has it. */
        RENEW,
        /**
         * The hold has ended if a majority has replied: nodes that did not are released in the background. It is certain that it was
         * lost before only if a majority says so.
         */
        RELEASE
    }

    private final Quorum quorum;
    private final Purpose purpose;
    private final CompletableFuture<Optional<HoldReply>> result = new CompletableFuture<>();
    private final List<String> failures = new ArrayList<>();
    private Optional<HoldReply> notHeldReply = Optional.empty();
    private int done;
    private int notHeld;

    MajorityTally(Quorum quorum, Purpose purpose) {
        this.quorum = quorum;
        this.purpose = purpose;
    }

    /** Empty if too few nodes replied to know. */
    CompletableFuture<Optional<HoldReply>> result() {
        return result;
    }

    /** Returns why the result is not known: the nodes that did not reply, each with its reason. */
    synchronized String tooFew(Claim claim) {
        return "too few nodes replied for " + claim.text() + ": " + String.join("; ", failures);
    }

    void add(VotingNode node, CompletableFuture<HoldReply> reply) {
        reply.whenComplete((value, failure) -> {
            Optional<Optional<HoldReply>> decision;
            synchronized (this) {
                if (failure != null) {
                    failures.add(node.address() + " " + NodeOutcome.of(failure).text());
                } else if (value instanceof HoldReply.Done) {
                    done++;
                } else {
                    notHeld++;
                    notHeldReply = Optional.of(value);
                }
                decision = decision();
            }
            decision.ifPresent(result::complete);
        });
    }

    private Optional<Optional<HoldReply>> decision() {
        if (quorum.isMajority(done)) {
            return Optional.of(Optional.of(HoldReply.DONE));
        }
        if (!quorum.isMajority(quorum.size() - notHeld)) {
            return Optional.of(notHeldReply);
        }
        int open = quorum.size() - done - notHeld - failures.size();
        boolean isOpen = purpose == Purpose.RELEASE ? open > 0 : quorum.isMajority(done + open);
        if (isOpen) {
            return Optional.empty();
        }
        boolean isReleased = purpose == Purpose.RELEASE && quorum.isMajority(done + notHeld);
        return Optional.of(isReleased ? Optional.of(HoldReply.DONE) : Optional.empty());
    }
}
