package io.keyhold.internal.store.quorum;

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

    private final Quorum quorum;
    private final CompletableFuture<Optional<HoldReply>> result = new CompletableFuture<>();
    private final List<String> unknown = new ArrayList<>();
    private Optional<HoldReply> denial = Optional.empty();
    private int done;
    private int denied;

    Count(Quorum quorum) {
        this.quorum = quorum;
    }

    /** Empty if too few nodes answered to know. */
    CompletableFuture<Optional<HoldReply>> result() {
        return result;
    }

    /** Those who gave no answer, and why. */
    synchronized String silence() {
        return String.join("; ", unknown);
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
        return open == 0 || !quorum.rules().isMajority(done + open, quorum.size())
                ? Optional.of(Optional.empty())
                : Optional.empty();
    }
}
