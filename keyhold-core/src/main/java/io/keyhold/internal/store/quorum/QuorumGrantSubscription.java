package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
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
 * differ, so that each notifies another waiter. A node whose channel cannot be opened is left out, and tried again
 * while requests wait, which poll as well.
 */
final class QuorumGrantSubscription implements GrantSubscription {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final long SHORTEST_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
    private static final String ADDRESS = "quorum";

    private final Quorum quorum;
    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final Listener listener;
    private final Map<VotingNode, GrantSubscription> open = new ConcurrentHashMap<>();
    /** Nodes whose channel is being opened, or is not permitted. */
    private final Set<VotingNode> trying = ConcurrentHashMap.newKeySet();

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
        trying.add(node);
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
            Throwable reason = failure == null ? null : Stages.unwrapped(failure);
            if (reason != null && StoreFailure.isForbidden(reason)) {
                LOG.log(
                        Level.WARNING,
                        "the grant channel is not permitted by a node of the quorum; polling there for the lifetime of this client"
                                + " (required ACL: docs/keys.md): {0}",
                        reason.getMessage());
            } else {
                trying.remove(node);
            }
            return subscription.isPresent();
        });
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

    /** Probes each node on its own, and opens the channels that are not open: while requests wait, and not for ever. */
    @Override
    public CompletionStage<Boolean> probe() {
        open.forEach((node, subscription) -> subscription.probe().whenComplete((heard, failure) -> {
            if (failure != null || !heard) {
                lose(node, subscription);
            }
        }));
        quorum.nodes().stream()
                .filter(node -> !open.containsKey(node) && !trying.contains(node) && !closed.get())
                .forEach(this::open);
        listener.probed();
        return CompletableFuture.completedStage(true);
    }

    private void lose(VotingNode node, GrantSubscription subscription) {
        if (open.remove(node, subscription)) {
            subscription.close();
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
            if (ended != null) {
                open.remove(node, ended);
            }
        }
    }
}
