package io.keyhold.doctor;

import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.inspect.QuorumSnapshot;
import java.util.List;
import java.util.stream.Collectors;

/** Whether a majority of the nodes can vote. A restarted node is quarantined until every lease that it may have granted has ended. */
final class QuorumVotesCheck extends Check {

    private final LockInspector inspector;

    QuorumVotesCheck(LockInspector inspector) {
        super("votes");
        this.inspector = inspector;
    }

    @Override
    Finding run() {
        QuorumSnapshot quorum = inspector.quorum().orElseThrow();
        List<QuorumNode> absent =
                quorum.nodes().stream().filter(node -> !node.canVote()).toList();
        int nodes = quorum.nodes().size();
        if (absent.isEmpty()) {
            return ok("all " + nodes + " nodes can vote");
        }
        String seen = (nodes - absent.size()) + " of " + nodes + " nodes can vote; these cannot: "
                + absent.stream().map(QuorumVotesCheck::reason).collect(Collectors.joining(", "));
        String cure =
                "A quarantined node votes again after --longest-lease (default 1m); use --admit-fresh-nodes only if it is new."
                        + " Restart the nodes that cannot be reached.";
        return quorum.hasQuorum()
                ? warn(seen, "The quorum tolerates fewer failures than its number of nodes allows.", cure)
                : fail(seen, "There is no majority: no lock can be acquired.", cure);
    }

    private static String reason(QuorumNode node) {
        return node.address() + " ("
                + node.quarantine()
                        .map(left -> "quarantined for " + (left.toSeconds() + 1) + " s")
                        .orElseGet(() -> node.error().orElse("unknown"))
                + ")";
    }
}
