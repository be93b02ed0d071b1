package io.keyhold.inspect;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A part of a listing.
 *
 * @param locks the locks that this part found, in no order; may be empty even if more follow
 * @param next the cursor of the next part; empty if this was the last
 */
public record LockPage(List<LockSnapshot> locks, Optional<String> next) {

    /** Copies the locks. */
    public LockPage {
        locks = List.copyOf(Objects.requireNonNull(locks, "locks must not be null"));
        Objects.requireNonNull(next, "next must not be null");
    }
}
