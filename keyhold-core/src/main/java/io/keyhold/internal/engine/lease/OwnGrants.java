package io.keyhold.internal.engine.lease;

import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.time.ClockReading;
import java.util.Optional;

/**
 * The waiters of this client, as a release sees them. When the next waiter of a lock is of the client that releases it, the reply tells
 * of the grant: no message, and no second thread.
 */
public interface OwnGrants {

    /** Returns the address of this client's waiters for this key, if they have one. */
    Optional<String> address(String key);

    /** Passes a grant on to the waiter that it is for. It was made after this moment, at which the release was not sent. */
    void granted(GrantNotice notice, ClockReading before);

    /** Makes the waiters of a lock ask again, because a reply that may have carried a grant was lost. */
    void askAgain(String key);
}
