package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.NodeStore;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Elections that some node has not answered yet, whether they are decided or not. A lock may be given up before a slow node has granted it: a
 * grant that comes after that has to go back.
 */
final class Elections {

    private record Open(Election election, Set<NodeStore> unheard) {}

    private final Map<String, Open> byToken = new ConcurrentHashMap<>();

    void begins(Election election, String token, Set<NodeStore> nodes) {
        byToken.put(token, new Open(election, new HashSet<>(nodes)));
    }

    /** This node has answered at last. */
    void heard(String token, NodeStore node) {
        byToken.computeIfPresent(token, (same, open) -> {
            open.unheard().remove(node);
            return open.unheard().isEmpty() ? null : open;
        });
    }

    /** What was asked for by this token is wanted no more. */
    void isReleased(String token) {
        Open open = byToken.get(token);
        if (open != null) {
            open.election().isReleased();
        }
    }
}
