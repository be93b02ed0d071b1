package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.NodeStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Questions under way by which a node may grant something to a token, whether they are decided or not. A lock may be given up before
 * a slow node has granted it. So at each node it is given up when what was asked before has been answered; and whoever asked knows that
 * it is not wanted any more.
 */
final class Interests {

    private final Map<String, Set<Interest>> byToken = new ConcurrentHashMap<>();
    /** Tokens that are being given up. A renewal of one may begin just then, because its timer ran before anybody could stop it. */
    private final Map<String, Telling> releases = new ConcurrentHashMap<>();

    /** One release of a token, or several at once, on the way to all nodes. */
    private static final class Telling {
        int releases;
        final CompletableFuture<Void> told = new CompletableFuture<>();
    }

    /** A question under way. */
    final class Interest {

        private final String token;
        private final Map<NodeStore, CompletableFuture<Void>> unheard = new ConcurrentHashMap<>();
        private volatile boolean alive = true;

        private Interest(String token, List<NodeStore> nodes) {
            this.token = token;
            nodes.forEach(node -> unheard.put(node, new CompletableFuture<>()));
        }

        /** Whether what a node grants is wanted. */
        boolean isAlive() {
            return alive;
        }

        /** This node has answered, or never will. */
        void heard(NodeStore node) {
            CompletableFuture<Void> answered = unheard.remove(node);
            if (unheard.isEmpty()) {
                end(this);
            }
            if (answered != null) {
                answered.complete(null);
            }
        }
    }

    Interest begin(String token, List<NodeStore> nodes) {
        Interest interest = new Interest(token, nodes);
        byToken.compute(token, (same, known) -> {
            Set<Interest> all = known != null ? known : new HashSet<>();
            interest.alive = !releases.containsKey(token);
            all.add(interest);
            return all;
        });
        return interest;
    }

    private void end(Interest interest) {
        byToken.computeIfPresent(interest.token, (same, all) -> {
            all.remove(interest);
            return all.isEmpty() ? null : all;
        });
    }

    /**
     * What this token holds is given up, and so is whatever a node grants to it from now on.
     *
     * @return ends that, when all nodes have been told
     */
    Runnable released(String token) {
        Telling telling = releases.compute(token, (same, known) -> {
            Telling all = known != null ? known : new Telling();
            all.releases++;
            return all;
        });
        byToken.computeIfPresent(token, (same, all) -> {
            all.forEach(interest -> interest.alive = false);
            return all;
        });
        return () -> {
            if (releases.computeIfPresent(token, (same, all) -> --all.releases == 0 ? null : all) == null) {
                telling.told.complete(null);
            }
        };
    }

    /** Done when this node has answered all that it was asked for this token. */
    CompletableFuture<Void> answered(String token, NodeStore node) {
        Set<CompletableFuture<Void>> open = new HashSet<>();
        byToken.computeIfPresent(token, (same, all) -> {
            for (Interest interest : all) {
                CompletableFuture<Void> unheard = interest.unheard.get(node);
                if (unheard != null) {
                    open.add(unheard);
                }
            }
            return all;
        });
        return CompletableFuture.allOf(open.toArray(CompletableFuture[]::new));
    }

    /** Done when all that is under way now has been answered: questions, and what is being given up. */
    CompletableFuture<Void> settled() {
        List<CompletableFuture<Void>> open = new ArrayList<>();
        for (String token : byToken.keySet()) {
            byToken.computeIfPresent(token, (same, all) -> {
                all.forEach(interest -> open.addAll(interest.unheard.values()));
                return all;
            });
        }
        releases.values().forEach(telling -> open.add(telling.told));
        return CompletableFuture.allOf(open.toArray(CompletableFuture[]::new));
    }
}
