package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.internal.time.Scheduler;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The grant channels of all nodes as one. A waiter is notified of a release when a majority of nodes has reported it: when the first
 * reports it, the release may still be in flight to the others. Or a moment after the first report, because the queues of the nodes may
 * differ, so that each notifies another waiter. A node whose channel cannot be opened is left out, and tried again; waiters poll
 * as well.
 */
final class QuorumGrantSubscription implements GrantSubscription {

    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
    private static final String ADDRESS = "quorum";

    private final Quorum quorum;
    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final Listener listener;
    private final Map<VotingNode, GrantSubscription> open = new ConcurrentHashMap<>();
    private final Map<Long, Set<VotingNode>> freed = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    QuorumGrantSubscription(Quorum quorum, Scheduler scheduler, RandomGenerator random, Listener listener) {
        this.quorum = quorum;
        this.scheduler = scheduler;
        this.random = random;
        this.listener = listener;
    }

    /** Opens all channels; done when a majority is open, or all have been tried. */
    CompletionStage<GrantSubscription> open() {
        CompletableFuture<GrantSubscription> result = new CompletableFuture<>();
        Set<VotingNode> tried = ConcurrentHashMap.newKeySet();
        quorum.nodes()
                .forEach(node -> open(node).whenComplete((opened, failure) -> {
                    tried.add(node);
                    if (quorum.isMajority(open.size()) || tried.size() == quorum.size()) {
                        result.complete(this);
                    }
                }));
        return result;
    }

    private CompletionStage<Boolean> open(VotingNode node) {
        NodeListener nodeListener = new NodeListener(node);
        return node.openGrantChannel(nodeListener).handle((opened, failure) -> {
            Optional<GrantSubscription> subscription = failure == null ? opened : Optional.empty();
            subscription.ifPresent(found -> {
                nodeListener.channel = found;
                open.put(node, found);
                if (closed.get()) {
                    found.close();
                }
            });
            if (subscription.isEmpty()) {
                openLater(node);
            }
            return subscription.isPresent();
        });
    }

    private void openLater(VotingNode node) {
        if (!closed.get()) {
            scheduler.schedule(AGAIN_NANOS, () -> {
                if (!closed.get()) {
                    open(node);
                }
            });
        }
    }

    /** Returns the entry of this waiter in the queue of one node; empty if that cannot notify it. */
    Optional<QueuePlace> placeAt(VotingNode node, QueuePlace waiter) {
        return Optional.ofNullable(open.get(node))
                .map(subscription -> new QueuePlace(
                        subscription.address(),
                        waiter.number(),
                        waiter.leaseMillis(),
                        waiter.sinceMillis(),
                        waiter.permits(),
                        waiter.token()));
    }

    @Override
    public String address() {
        return ADDRESS;
    }

    /** Probes each node on its own, and opens the channel again at one that does not know of it. */
    @Override
    public CompletionStage<Boolean> probe() {
        open.forEach((node, subscription) -> subscription.probe().whenComplete((heard, failure) -> {
            if (failure != null || !heard) {
                lose(node, subscription);
            }
        }));
        listener.probed();
        return CompletableFuture.completedStage(true);
    }

    private void lose(VotingNode node, GrantSubscription subscription) {
        if (open.remove(node, subscription)) {
            subscription.close();
            openLater(node);
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            open.values().forEach(GrantSubscription::close);
        }
    }

    private void freedAt(VotingNode node, long number) {
        AtomicBoolean enough = new AtomicBoolean();
        AtomicBoolean first = new AtomicBoolean();
        freed.compute(number, (same, known) -> {
            first.set(known == null);
            Set<VotingNode> nodes = known != null ? known : new HashSet<>();
            nodes.add(node);
            enough.set(quorum.isMajority(nodes.size()));
            return enough.get() ? null : nodes;
        });
        if (enough.get()) {
            listener.freed(number);
        } else if (first.get()) {
            scheduler.schedule(graceNanos(), () -> {
                if (freed.remove(number) != null) {
                    listener.freed(number);
                }
            });
        }
    }

    /** Random, so that waiters that were notified by different nodes do not split the vote. */
    private long graceNanos() {
        return random.nextLong(SHORTEST_GRACE_NANOS, LONGEST_GRACE_NANOS);
    }

    /** Listens to one node. */
    private final class NodeListener implements Listener {

        private final VotingNode node;
        private volatile @Nullable GrantSubscription channel;

        NodeListener(VotingNode node) {
            this.node = node;
        }

        /** Nodes of a quorum hand nothing over. */
        @Override
        public void granted(GrantNotice notice) {}

        @Override
        public void freed(long number) {
            freedAt(node, number);
        }

        @Override
        public void probed() {}

        @Override
        public void ended(Throwable reason) {
            GrantSubscription ended = channel;
            if (ended != null && open.remove(node, ended)) { // Else it was replaced before.
                openLater(node);
            }
        }
    }
}
