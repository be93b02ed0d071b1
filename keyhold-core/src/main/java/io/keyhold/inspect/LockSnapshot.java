package io.keyhold.inspect;

import java.util.Optional;

/**
 * A lock at one moment.
 *
 * @param key the key, without the client's prefix
 * @param holder who holds it, if anyone does
 */
public record LockSnapshot(String key, Optional<LockHolder> holder) {

    /** Whether anyone holds it. */
    public boolean isHeld() {
        return holder.isPresent();
    }
}
