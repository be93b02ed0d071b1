package io.keyhold.micrometer;

import io.keyhold.KeyholdException;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.QuorumNode;
import io.micrometer.core.instrument.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The nodes of a quorum, asked at most once in five seconds: a scrape reads one gauge for each state. */
final class QuorumNodes {

    private static final long KEPT = TimeUnit.SECONDS.toNanos(5);

    private final LockInspector inspector;
    private final Clock clock;
    private List<QuorumNode> nodes = List.of();
    private boolean known;
    private long readAt;

    /** Whether a node can vote, and if not, why. */
    enum State {
        VOTING,
        QUARANTINED,
        UNREACHABLE;

        static State of(QuorumNode node) {
            if (node.canVote()) {
                return VOTING;
            }
            return node.error().isPresent() ? UNREACHABLE : QUARANTINED;
        }
    }

    QuorumNodes(LockInspector inspector, Clock clock) {
        this.inspector = inspector;
        this.clock = clock;
    }

    /** Returns how many nodes are in this state, or NaN if the client cannot tell. */
    synchronized double count(State state) {
        long now = clock.monotonicTime();
        if (!known || now - readAt >= KEPT) {
            known = false;
            try {
                nodes = inspector.quorum().orElseThrow().nodes();
            } catch (KeyholdException e) {
                return Double.NaN;
            }
            known = true;
            readAt = now;
        }
        return nodes.stream().filter(node -> State.of(node) == state).count();
    }
}
