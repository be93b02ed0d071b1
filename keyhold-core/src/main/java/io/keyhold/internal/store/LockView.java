package io.keyhold.internal.store;

import java.util.List;
import java.util.Optional;

/**
 * A lock, as a store sees it.
 *
 * @param key the stored key
 * @param hold who holds it, if anyone does
 * @param queue who waits, the next first; the first {@link #MOST_SHOWN} of them
 * @param waiting how many wait in all
 */
public record LockView(String key, Optional<HoldView> hold, List<QueuePlace> queue, long waiting) {

    /** More than this many waiters are counted, and not shown. */
    public static final int MOST_SHOWN = 100;
}
