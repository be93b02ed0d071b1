package io.keyhold.internal.store;

import io.keyhold.spi.CallMode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A place where locks live. Every operation is atomic, and idempotent by token, so that it may be repeated when its reply
 * was lost. Failures complete the stage with {@link io.keyhold.StoreUnavailableException}.
 *
 * <p>A store with inboxes keeps a queue for each lock. Whatever frees a lock there hands it, in the same step, to the first in
 * the queue whose client still listens, and tells that client.
 */
public interface LockStore extends AutoCloseable {

    /**
     * Takes the lock if it is free and nobody waits (unless the request says to leave it), or goes on with it if this
     * token holds it already: then the fencing token is the same, and the lease runs anew. Otherwise does as the request
     * says.
     */
    CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode);

    /** Frees the lock if this token holds it, and leaves the queue if the request names a place there. */
    CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode);

    /**
     * Makes each of these leases last at least as long as asked for, from now. One reply for each request, in their
     * order. Never creates a key, and never lets a lease end sooner: a renewal that a slow network delivers late must
     * not cut short what a later call has promised.
     */
    CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode);

    /** Who holds the lock now, and who waits. */
    CompletionStage<LockView> look(String key, CallMode mode);

    /** Those held locks among one page of keys that match the glob pattern. The first cursor is {@code "0"}. */
    CompletionStage<Page> list(String pattern, String cursor, CallMode mode);

    /** Frees the lock, whoever holds it. Answers whether anyone did. */
    CompletionStage<Boolean> forceRelease(String key, CallMode mode);

    /**
     * Opens the way by which grants reach a client that waits; empty if this store grants only to those who ask. It is not
     * opened again by itself after it has ended.
     */
    default CompletionStage<Optional<Inbox>> openInbox(Inbox.Listener listener) {
        return CompletableFuture.completedStage(Optional.empty());
    }

    /** Gives back what is not needed now. */
    default void trim() {}

    @Override
    void close();

    /**
     * A part of a listing.
     *
     * @param locks what was found
     * @param cursor where to go on; {@code "0"} if this was the last page
     */
    record Page(List<LockView> locks, String cursor) {}
}
