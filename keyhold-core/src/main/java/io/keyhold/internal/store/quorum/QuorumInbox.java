package io.keyhold.internal.store.quorum;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.Inbox;
import io.keyhold.internal.store.NodeStore;
import io.keyhold.internal.store.QueuePlace;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The inboxes of all nodes as one. A waiter is told that a lock was given up when a majority of nodes has said so: when the
 * first says it, the others may not have heard of it yet. Or a moment after the first, because the nodes' queues may differ, and
 * each of them tells another waiter. A node whose inbox is not to be had is left out, and tried again;
 * whoever waits asks now and then anyway.
 */
final class QuorumInbox implements Inbox {

    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
    private static final String ADDRESS = "quorum";

    private final Quorum quorum;
    private final Listener listener;
    private final Map<NodeStore, Inbox> open = new ConcurrentHashMap<>();
    private final Map<Long, Set<NodeStore>> freed = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    QuorumInbox(Quorum quorum, Listener listener) {
        this.quorum = quorum;
        this.listener = listener;
    }

    /** Opens all; done when a majority is open, or all have been tried. */
    CompletionStage<Inbox> open() {
        CompletableFuture<Inbox> result = new CompletableFuture<>();
        Set<NodeStore> tried = ConcurrentHashMap.newKeySet();
        quorum.nodes()
                .forEach(node -> open(node).whenComplete((opened, failure) -> {
                    tried.add(node);
                    if (quorum.rules().isMajority(open.size(), quorum.size()) || tried.size() == quorum.size()) {
                        result.complete(this);
                    }
                }));
        return result;
    }

    private CompletionStage<Boolean> open(NodeStore node) {
        return node.openInbox(new Ear(node)).handle((opened, failure) -> {
            Optional<Inbox> inbox = failure == null ? opened : Optional.empty();
            inbox.ifPresent(found -> {
                open.put(node, found);
                if (closed.get()) {
                    found.close();
                }
            });
            if (inbox.isEmpty()) {
                openLater(node);
            }
            return inbox.isPresent();
        });
    }

    private void openLater(NodeStore node) {
        if (!closed.get()) {
            quorum.scheduler().schedule(AGAIN_NANOS, () -> {
                if (!closed.get()) {
                    open(node);
                }
            });
        }
    }

    /** Where this waiter stands at one node, if that can tell it anything. */
    Optional<QueuePlace> placeAt(NodeStore node, QueuePlace waiter) {
        return Optional.ofNullable(open.get(node))
                .map(inbox -> new QueuePlace(
                        inbox.address(),
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

    /** Each node is asked on its own; one that does not know of its inbox gets a new one. */
    @Override
    public CompletionStage<Boolean> probe() {
        open.forEach((node, inbox) -> inbox.probe().whenComplete((heard, failure) -> {
            if (failure != null || !heard) {
                lose(node, inbox);
            }
        }));
        listener.probed();
        return CompletableFuture.completedStage(true);
    }

    private void lose(NodeStore node, Inbox inbox) {
        if (open.remove(node, inbox)) {
            inbox.close();
            openLater(node);
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            open.values().forEach(Inbox::close);
        }
    }

    private void freedAt(NodeStore node, long number) {
        AtomicBoolean enough = new AtomicBoolean();
        AtomicBoolean first = new AtomicBoolean();
        freed.compute(number, (same, known) -> {
            first.set(known == null);
            Set<NodeStore> nodes = known != null ? known : new HashSet<>();
            nodes.add(node);
            enough.set(quorum.rules().isMajority(nodes.size(), quorum.size()));
            return enough.get() ? null : nodes;
        });
        if (enough.get()) {
            listener.freed(number);
        } else if (first.get()) {
            quorum.scheduler().schedule(graceNanos(), () -> {
                if (freed.remove(number) != null) {
                    listener.freed(number);
                }
            });
        }
    }

    /** Random, so that waiters that were told by different nodes do not split the vote. */
    private long graceNanos() {
        return quorum.random().nextLong(SHORTEST_GRACE_NANOS, LONGEST_GRACE_NANOS);
    }

    /** Listens at one node. */
    private final class Ear implements Listener {

        private final NodeStore node;

        Ear(NodeStore node) {
            this.node = node;
        }

        /** Nodes of a quorum grant nothing by themselves. */
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
            if (open.remove(node) != null) {
                openLater(node);
            }
        }
    }
}
