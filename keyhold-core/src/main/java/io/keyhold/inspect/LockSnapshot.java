package io.keyhold.inspect;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A lock, a semaphore or a read/write lock at one moment.
 *
 * @param key the key, without the client's prefix
 * @param kind what it is in use as; a free key is a lock
 * @param holders the holders, the first to expire first; at most the first hundred
 * @param holderCount how many holders there are
 * @param permits how many permits a semaphore has; 1 for everything else
 * @param availablePermits how many of them are available; of everything else 1 if it is free, else 0
 * @param queue the waiters in the queue at the server, the next first; at most the first hundred
 * @param waiterCount how many waiters the queue has. Clients that poll are not seen
 * @param nodes on a quorum, what each of its nodes sees; empty elsewhere. The holder is then the client that holds a majority of them
 */
public record LockSnapshot(
        String key,
        LockKind kind,
        List<LockHolder> holders,
        long holderCount,
        int permits,
        int availablePermits,
        List<LockWaiter> queue,
        long waiterCount,
        List<NodeSnapshot> nodes) {

    /** Copies the lists. */
    public LockSnapshot {
        nodes = List.copyOf(Objects.requireNonNull(nodes, "nodes must not be null"));
        holders = List.copyOf(Objects.requireNonNull(holders, "holders must not be null"));
        queue = List.copyOf(Objects.requireNonNull(queue, "queue must not be null"));
    }

    /**
     * Returns the holder.
     *
     * @return the holder, of several the first to expire; empty if it is free
     */
    public Optional<LockHolder> holder() {
        return holders.stream().findFirst();
    }

    /**
     * Returns whether it is held.
     *
     * @return whether there is a holder
     */
    public boolean isHeld() {
        return holderCount > 0;
    }

    /**
     * Returns whether the nodes of a quorum that replied see different holders, or some of them none.
     *
     * @return whether they differ; false without a quorum
     */
    public boolean isDisputed() {
        return nodes.stream()
                        .filter(node -> node.error().isEmpty())
                        .map(node -> node.holder().map(LockHolder::token))
                        .distinct()
                        .count()
                > 1;
    }
}
