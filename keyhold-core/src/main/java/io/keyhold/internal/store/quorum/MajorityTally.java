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
    private final Claim claim;
    private final Purpose purpose;
    private final CompletableFuture<HoldReply> result = new CompletableFuture<>();
    /** The nodes that did not reply, each with its reason. */
    private final List<String> failures = new ArrayList<>();

    private final List<HoldReply> notHeld = new ArrayList<>();
    private int done;

    MajorityTally(Quorum quorum, Claim claim, Purpose purpose) {
        this.quorum = quorum;
        this.claim = claim;
        this.purpose = purpose;
    }

    /** {@link HoldReply.Unknown} if too few nodes replied to know. */
    CompletableFuture<HoldReply> result() {
        return result;
    }

    void add(VotingNode node, CompletableFuture<HoldReply> reply) {
        reply.whenComplete((value, failure) -> {
            Optional<HoldReply> decision;
            synchronized (this) {
                if (failure != null) {
                    failures.add(node.address() + " " + NodeOutcome.of(failure).text());
                } else if (value instanceof HoldReply.Unknown unknown) {
                    failures.add(node.address() + " " + unknown.detail());
                } else if (value instanceof HoldReply.Done) {
                    done++;
                } else {
                    notHeld.add(value);
                }
                decision = decision();
            }
            decision.ifPresent(result::complete);
        });
    }

    /** Returns the result, if it is decided. */
    private Optional<HoldReply> decision() {
        if (quorum.isMajority(done)) {
            return Optional.of(HoldReply.DONE);
        }
        if (!quorum.isMajority(quorum.size() - notHeld.size())) {
            return Optional.of(notHeld.get(notHeld.size() - 1));
        }
        int open = quorum.size() - done - notHeld.size() - failures.size();
        boolean isOpen = purpose == Purpose.RELEASE ? open > 0 : quorum.isMajority(done + open);
        if (isOpen) {
            return Optional.empty();
        }
        boolean isReleased = purpose == Purpose.RELEASE && quorum.isMajority(done + notHeld.size());
        return Optional.of(
                isReleased
                        ? HoldReply.DONE
                        : new HoldReply.Unknown(
                                "too few nodes replied for " + claim.text() + ": " + String.join("; ", failures)));
    }
}
