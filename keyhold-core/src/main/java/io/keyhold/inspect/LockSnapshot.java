package io.keyhold.inspect;

import java.util.List;
import java.util.Optional;

/**
 * A lock, a semaphore or a read/write lock at one moment.
 *
 * @param key the key, without the client's prefix
 * @param kind what it is; a key under which nothing was ever held is a lock
 * @param holders who holds it, the first to expire first; at most the first hundred
 * @param holding how many hold it
 * @param permits how many permits a semaphore has; 1 for everything else
 * @param availablePermits how many of them are free; of everything else 1 if nobody holds it, else 0
 * @param queue who waits for it, the next first; at most the first hundred
 * @param waiting how many wait in the queue. Clients that poll are not seen
 * @param nodes on a quorum, what each of its nodes sees; empty elsewhere. There the holder is whoever holds a majority of them
 */
public record LockSnapshot(
        String key,
        LockKind kind,
        List<LockHolder> holders,
        long holding,
        int permits,
        int availablePermits,
        List<LockWaiter> queue,
        long waiting,
        List<NodeSnapshot> nodes) {

    /** A lock at one moment. */
    public LockSnapshot {
        nodes = List.copyOf(nodes);
        holders = List.copyOf(holders);
        queue = List.copyOf(queue);
    }

    /** Who holds it; of several the first to expire. */
    public Optional<LockHolder> holder() {
        return holders.stream().findFirst();
    }

    /** Whether anyone holds it. */
    public boolean isHeld() {
        return holding > 0;
    }

    /** Whether nodes of a quorum that could be asked see different holders, or some of them none. */
    public boolean isDisputed() {
        return nodes.stream()
                        .filter(node -> node.trouble().isEmpty())
                        .map(node -> node.holder().map(LockHolder::token))
                        .distinct()
                        .count()
                > 1;
    }
}
