package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.VotingNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What may still be in flight to the nodes of a quorum, and change something there after its request is decided.
 *
 * <p><b>Votes</b>, by token: a lock may be released before a slow node has granted it. So the release is sent to each node after the
 * replies to the votes before it, and a vote that was overtaken by a release knows that its grant is not wanted.
 *
 * <p><b>Queue entries</b>, by waiter: the votes of one wait have different tokens, but one entry. A vote may reach a slow node after a
 * later one, by which the waiter got the lock, or after the waiter has left. It still enters the queue there, and the entry has to be
 * withdrawn once more.
 */
final class InFlightVotes {

    private final Map<String, Set<Vote>> byToken = new ConcurrentHashMap<>();
    /** Tokens that are being released. A renewal of one may start just then, because its timer ran before it could be cancelled. */
    private final Map<String, Release> releases = new ConcurrentHashMap<>();
    /** Waiters, each with the nodes that replied to a vote after it was decided. */
    private final Map<QueuePlace, Set<VotingNode>> waiters = new ConcurrentHashMap<>();

    /** One release of a token, or several at once. */
    private static final class Release {
        int count;
        final CompletableFuture<Void> sent = new CompletableFuture<>();
    }

    /** A vote of all nodes for one token. */
    final class Vote {

        private final String token;
        private final Map<VotingNode, CompletableFuture<Void>> open = new ConcurrentHashMap<>();
        private volatile boolean wanted = true;

        private Vote(String token, List<VotingNode> nodes) {
            this.token = token;
            nodes.forEach(node -> open.put(node, new CompletableFuture<>()));
        }

        /** Whether a grant is wanted: the token has not been released since. */
        boolean isWanted() {
            return wanted;
        }

        /** This node has replied, or never will. */
        void replied(VotingNode node) {
            CompletableFuture<Void> replied = open.remove(node);
            if (open.isEmpty()) {
                end(this);
            }
            if (replied != null) {
                replied.complete(null);
            }
        }
    }

    Vote begin(String token, List<VotingNode> nodes) {
        Vote vote = new Vote(token, nodes);
        byToken.compute(token, (same, known) -> {
            Set<Vote> all = known != null ? known : new HashSet<>();
            vote.wanted = !releases.containsKey(token);
            all.add(vote);
            return all;
        });
        return vote;
    }

    private void end(Vote vote) {
        byToken.computeIfPresent(vote.token, (same, all) -> {
            all.remove(vote);
            return all.isEmpty() ? null : all;
        });
    }

    /**
     * Notes that this token is being released, and with it what a node grants to it from now on.
     *
     * @return ends that; to be called when the release has been sent to all nodes
     */
    Runnable released(String token) {
        Release release = releases.compute(token, (same, known) -> {
            Release all = known != null ? known : new Release();
            all.count++;
            return all;
        });
        byToken.computeIfPresent(token, (same, all) -> {
            all.forEach(vote -> vote.wanted = false);
            return all;
        });
        return () -> {
            if (releases.computeIfPresent(token, (same, all) -> --all.count == 0 ? null : all) == null) {
                release.sent.complete(null);
            }
        };
    }

    /** Returns what is done when this node has replied to all votes for this token. */
    CompletableFuture<Void> repliesOf(VotingNode node, String token) {
        List<CompletableFuture<Void>> open = new ArrayList<>();
        byToken.computeIfPresent(token, (same, all) -> {
            for (Vote vote : all) {
                CompletableFuture<Void> unreplied = vote.open.get(node);
                if (unreplied != null) {
                    open.add(unreplied);
                }
            }
            return all;
        });
        return CompletableFuture.allOf(open.toArray(CompletableFuture[]::new));
    }

    /** Returns what is done when all votes and releases that are in flight now have their replies. */
    CompletableFuture<Void> settled() {
        List<CompletableFuture<Void>> open = new ArrayList<>();
        for (String token : byToken.keySet()) {
            byToken.computeIfPresent(token, (same, all) -> {
                all.forEach(vote -> open.addAll(vote.open.values()));
                return all;
            });
        }
        releases.values().forEach(release -> open.add(release.sent));
        return CompletableFuture.allOf(open.toArray(CompletableFuture[]::new));
    }

    /** Notes that this waiter is in queues. */
    void queued(QueuePlace waiter) {
        waiters.computeIfAbsent(waiter, added -> ConcurrentHashMap.newKeySet());
    }

    /** Notes that this node may have queued the waiter although a later vote has taken it out of the queue. */
    void repliedLate(QueuePlace waiter, VotingNode node) {
        waiters.computeIfPresent(waiter, (same, nodes) -> {
            nodes.add(node);
            return nodes;
        });
    }

    /** Ends a wait, and returns the nodes that may still have the waiter in their queues. */
    Set<VotingNode> left(QueuePlace waiter) {
        Set<VotingNode> late = waiters.remove(waiter);
        return late == null ? Set.of() : late;
    }

    boolean hasLeft(QueuePlace waiter) {
        return !waiters.containsKey(waiter);
    }
}
