package io.keyhold.spring.boot;

import io.keyhold.Keyhold;
import io.keyhold.inspect.LockInspector;
import io.keyhold.inspect.QuorumNode;
import io.keyhold.inspect.QuorumSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up while locks can be acquired as far as reading tells: the server replies, or a majority of a quorum can vote. */
public final class KeyholdHealthIndicator extends AbstractHealthIndicator {

    /** Read only; no lock has to be on it. */
    private static final String KEY = "keyhold-health";

    private final Keyhold keyhold;

    /**
     * Creates an indicator.
     *
     * @param keyhold the client to ask
     */
    public KeyholdHealthIndicator(Keyhold keyhold) {
        super("The servers of the locks could not be asked");
        this.keyhold = Objects.requireNonNull(keyhold, "keyhold must not be null");
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        LockInspector inspector = keyhold.inspect();
        Optional<QuorumSnapshot> quorum = inspector.quorum();
        if (quorum.isPresent()) {
            Map<String, String> nodes = new LinkedHashMap<>();
            quorum.get().nodes().forEach(node -> nodes.put(node.address(), state(node)));
            health.status(quorum.get().hasQuorum() ? "UP" : "DOWN").withDetail("nodes", nodes);
        } else {
            inspector.lock(KEY);
            health.up();
        }
        health.withDetail(
                "leases",
                inspector.local().stream().mapToInt(key -> key.holders().size()).sum());
    }

    private static String state(QuorumNode node) {
        if (node.error().isPresent()) {
            return "unreachable: " + node.error().get();
        }
        return node.quarantine().isPresent() ? "quarantined" : "voting";
    }
}
