package io.keyhold.internal.store.quorum;

import io.keyhold.internal.Formats;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.NodeStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Counts what nodes say of one hold: that it was theirs, or not. Decided as soon as a majority says the one, or cannot say it
 * any more.
 */
final class Count {

    /** What is counted for. */
    enum Purpose {
        /** To go on holding: a majority must say that it does. */
        KEEPING,
        /**
         * To give up: a majority must have answered. Where the hold is, it is gone then, and where nobody answered it goes later. That
         * it was lost before is certain only if a majority says so.
         */
        GIVING_UP
    }

    private final Quorum quorum;
    private final Purpose purpose;
    private final CompletableFuture<Optional<HoldReply>> result = new CompletableFuture<>();
    private final List<String> unknown = new ArrayList<>();
    private Optional<HoldReply> denial = Optional.empty();
    private int done;
    private int denied;

    Count(Quorum quorum, Purpose purpose) {
        this.quorum = quorum;
        this.purpose = purpose;
    }

    /** Empty if too few nodes answered to know. */
    CompletableFuture<Optional<HoldReply>> result() {
        return result;
    }

    /** Why it cannot be known: those who gave no answer, each with its reason. */
    synchronized String tooFew(Claim claim) {
        return "too few nodes answered for '" + Formats.cut(claim.key(), 80) + "': " + String.join("; ", unknown);
    }

    void add(NodeStore node, CompletableFuture<HoldReply> answer) {
        answer.handle((reply, failure) -> {
            if (failure != null) {
                unknown(node, failure);
            } else {
                known(reply);
            }
            return node;
        });
    }

    private void known(HoldReply reply) {
        Optional<Optional<HoldReply>> decision;
        synchronized (this) {
            if (reply instanceof HoldReply.Done) {
                done++;
            } else {
                denied++;
                denial = Optional.of(reply);
            }
            decision = decision();
        }
        decision.ifPresent(result::complete);
    }

    private void unknown(NodeStore node, Throwable failure) {
        Optional<Optional<HoldReply>> decision;
        synchronized (this) {
            unknown.add(node.address() + " " + NodeAnswer.of(failure).text());
            decision = decision();
        }
        decision.ifPresent(result::complete);
    }

    private Optional<Optional<HoldReply>> decision() {
        if (quorum.rules().isMajority(done, quorum.size())) {
            return Optional.of(Optional.of(HoldReply.DONE));
        }
        int open = quorum.size() - done - denied - unknown.size();
        if (!quorum.rules().isMajority(quorum.size() - denied, quorum.size())) {
            return Optional.of(denial);
        }
        if (purpose == Purpose.GIVING_UP) {
            boolean answered = quorum.rules().isMajority(done + denied, quorum.size());
            return open > 0 ? Optional.empty() : Optional.of(answered ? Optional.of(HoldReply.DONE) : Optional.empty());
        }
        return open == 0 || !quorum.rules().isMajority(done + open, quorum.size())
                ? Optional.of(Optional.empty())
                : Optional.empty();
    }
}
