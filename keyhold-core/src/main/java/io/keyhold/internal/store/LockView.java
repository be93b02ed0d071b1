package io.keyhold.internal.store;

import java.util.List;
import java.util.Optional;

/**
 * A lock or a semaphore, as a store sees it.
 *
 * @param key the stored key
 * @param permits what is known of a semaphore; empty for a lock
 * @param holds who holds it, the first to expire first; the first {@link #MOST_SHOWN} of them
 * @param holding how many hold it in all
 * @param queue who waits, the next first; the first {@link #MOST_SHOWN} of them
 * @param waiting how many wait in all
 * @param nodes what each node of a quorum sees; empty elsewhere
 */
public record LockView(
        String key,
        Optional<Permits> permits,
        List<HoldView> holds,
        long holding,
        List<QueuePlace> queue,
        long waiting,
        List<NodeView> nodes) {

    /** More than this many holders or waiters are counted, and not shown. */
    public static final int MOST_SHOWN = 100;

    /** Both lists as they are now. */
    public LockView {
        holds = List.copyOf(holds);
        queue = List.copyOf(queue);
        nodes = List.copyOf(nodes);
    }

    /** As one store sees it. */
    public LockView(
            String key,
            Optional<Permits> permits,
            List<HoldView> holds,
            long holding,
            List<QueuePlace> queue,
            long waiting) {
        this(key, permits, holds, holding, queue, waiting, List.of());
    }

    /** The same, put together of what these nodes see. */
    public LockView seenBy(List<NodeView> views) {
        return new LockView(key, permits, holds, holding, queue, waiting, views);
    }

    /** Of a lock, with at most one holder. */
    public static LockView ofLock(String key, Optional<HoldView> hold, List<QueuePlace> queue, long waiting) {
        List<HoldView> holds = hold.map(List::of).orElse(List.of());
        return new LockView(key, Optional.empty(), holds, holds.size(), queue, waiting);
    }

    /**
     * A semaphore's permits.
     *
     * @param limit how many there are
     * @param inUse how many are out
     */
    public record Permits(int limit, long inUse) {}
}
