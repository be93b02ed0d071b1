package io.keyhold.inspect;

import java.util.List;
import java.util.Optional;

/**
 * A lock at one moment.
 *
 * @param key the key, without the client's prefix
 * @param holder who holds it, if anyone does
 * @param queue who waits for it, the next first; at most the first hundred
 * @param waiting how many wait in the queue. Clients that poll are not seen
 */
public record LockSnapshot(String key, Optional<LockHolder> holder, List<LockWaiter> queue, long waiting) {

    /** A lock at one moment. */
    public LockSnapshot {
        queue = List.copyOf(queue);
    }

    /** Whether anyone holds it. */
    public boolean isHeld() {
        return holder.isPresent();
    }
}
