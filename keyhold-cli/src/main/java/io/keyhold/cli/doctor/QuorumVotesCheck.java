package io.keyhold.cli.doctor;

import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.inspect.QuorumSnapshot;
import java.util.List;
import java.util.stream.Collectors;

/** Whether enough nodes of a quorum take part in votes. One that was started anew keeps out until every old lease is over. */
final class QuorumVotesCheck implements Check {

    private final LockInspector inspector;

    QuorumVotesCheck(LockInspector inspector) {
        this.inspector = inspector;
    }

    @Override
    public String name() {
        return "votes";
    }

    @Override
    public Finding examine() {
        QuorumSnapshot quorum = inspector.quorum().orElseThrow();
        List<QuorumNode> absent =
                quorum.nodes().stream().filter(node -> !node.canVote()).toList();
        int nodes = quorum.nodes().size();
        if (absent.isEmpty()) {
            return Finding.ok(this, "all " + nodes + " nodes can vote");
        }
        String seen = (nodes - absent.size()) + " of " + nodes + " nodes can vote; not "
                + absent.stream().map(QuorumVotesCheck::reason).collect(Collectors.joining(", "));
        String cure =
                "A node in quarantine votes again when that is over, after a minute; one that is known to be new can be"
                        + " admitted at once, with --admit-fresh-nodes. Bring back the others.";
        return quorum.hasQuorum()
                ? Finding.warn(this, seen, "The quorum bears the loss of fewer nodes than it has been made for.", cure)
                : Finding.fail(this, seen, "There is no majority: no lock can be had.", cure);
    }

    private static String reason(QuorumNode node) {
        return node.address() + " ("
                + node.quarantine()
                        .map(left -> "in quarantine for " + (left.toSeconds() + 1) + " s")
                        .orElseGet(() -> node.error().orElse("unknown"))
                + ")";
    }
}
