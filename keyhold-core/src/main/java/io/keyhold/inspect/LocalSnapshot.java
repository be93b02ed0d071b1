package io.keyhold.inspect;

import java.util.List;
import java.util.Objects;

/**
 * What one client holds of a key and waits for there, at one moment. Several locks that are taken together are shown at each of their
 * keys.
 *
 * @param key the key, without the client's prefix
 * @param kind what the client uses it as
 * @param holders the holds of this client, the oldest first
 * @param waiters its pending requests, in the order of the local queue, or the oldest first where there is none
 */
public record LocalSnapshot(String key, LockKind kind, List<LocalHolder> holders, List<LocalWaiter> waiters) {

    /** Copies the lists. */
    public LocalSnapshot {
        holders = List.copyOf(Objects.requireNonNull(holders, "holders must not be null"));
        waiters = List.copyOf(Objects.requireNonNull(waiters, "waiters must not be null"));
    }
}
