package io.keyhold.internal.store;

import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.QuorumSnapshot;
import io.keyhold.spi.CallMode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A place where locks live. Every operation is atomic, and idempotent by token, so that it may be repeated when its reply
 * was lost. Failures complete the stage with a {@link io.keyhold.KeyholdException}.
 *
 * <p>A store with grant channels keeps a queue for each lock. Every operation that frees a lock there hands it over, in the same step, to the
 * first waiter in the queue whose client still listens, and tells that client.
 */
public interface LockStore extends GrantSource, AutoCloseable {

    /**
     * Takes what is claimed if it is free and its queue is empty (unless the request says to leave it), or goes on with it if
     * this token holds it already: then the lease starts again, and the fencing token is the same or larger. Otherwise does as the
     * request says. Several locks are taken together or not at all, and have no queue: such a request has no entry.
     *
     * @param sending runs immediately before the request leaves the client, and again if it has to be sent once more: a
     *     lease counts from the last time
     */
    CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending);

    /**
     * Frees what is claimed if this token holds it, and leaves the queue if the request names its entry there. Of several locks,
     * frees those that it holds, and returns that it did only if it held all.
     *
     * <p>If the request has a rest, the hold ends as well, but what was held stays taken for that long, by a token that no request
     * has ({@link io.keyhold.internal.TokenText#resting}): no late renewal, repeated acquire or compensating release of the hold can
     * end the rest or prolong it. The head of the queue is told to ask again, so that it learns when the rest ends.
     */
    CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode);

    /**
     * Makes each of these leases last at least as long as asked for, from now. One reply for each request, in their
     * order. Never creates a key, and never lets a lease end sooner: a renewal that a slow network delivers late must
     * not cut short what a later call has promised. The replies come together, so the keys should have one {@link #grantSource}.
     */
    CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode);

    /** Returns the holder and the queue of this key's lock. */
    CompletionStage<LockSnapshot> look(String key, CallMode mode);

    /** Returns the same of a semaphore or read/write lock; empty if this key has none. */
    CompletionStage<Optional<LockSnapshot>> lookAtPermits(String key, CallMode mode);

    /** Returns what is held under one page of the keys that match the glob pattern. The first cursor is {@link Page#EDGE}. */
    CompletionStage<Page> list(String pattern, String cursor, CallMode mode);

    /** Frees the lock or all permits of this key for any holder. Returns whether there was one. */
    CompletionStage<Boolean> forceRelease(String key, CallMode mode);

    /**
     * Sets the number of permits of a semaphore, and serves the waiters for which that is enough. Returns the number before;
     * if the store has no such semaphore, that is {@code said}, the number that this client is configured for. Clients that are
     * configured for the first number may still use it. A read/write lock is left as it is: returns {@link Limit#READ_WRITE}.
     */
    CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode);

    /**
     * Returns where the grants of this key come from now. A store of several servers has several sources, each with a clock and a
     * grant channel of its own, and a key may move from one to another. Times in replies are by the clock of the source whose channel
     * the request's entry names, or of this one if it names none; a server that is another one tells no time.
     */
    default GrantSource grantSource(String key) {
        return this;
    }

    /** Has this run whenever keys may have moved to another {@link #grantSource}, so that their grants do not arrive where they did. */
    default void onMoves(Runnable action) {}

    /** Returns the state of its nodes, if it is a quorum. */
    default CompletionStage<Optional<QuorumSnapshot>> quorum() {
        return CompletableFuture.completedStage(Optional.empty());
    }

    /** Returns why it has nothing of this kind; empty if it has. */
    default Optional<String> refusal(LockKind kind) {
        return Optional.empty();
    }

    /** Returns why it cannot take the locks of these keys at once; empty if it can. */
    default Optional<String> refusalOfSeveral(List<String> keys) {
        return Optional.empty();
    }

    /** Returns why it cannot hold this for that long, {@link AcquireRequest#NO_EXPIRY} for ever; empty if it can. */
    default Optional<String> refusal(Claim claim, long leaseMillis) {
        return Optional.empty();
    }

    /** Returns why it cannot renew one of these for that long; empty if it can. A question has no length. */
    default Optional<String> refusal(List<RenewRequest> requests) {
        for (RenewRequest request : requests) {
            boolean asks = request.leaseMillis() == AcquireRequest.NO_EXPIRY;
            Optional<String> refusal = asks ? Optional.empty() : refusal(request.claim(), request.leaseMillis());
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }

    /** Returns whether a token that was refused must not be used for another attempt. */
    default boolean usesTokensOnce() {
        return false;
    }

    /** Returns whether waiters can be served in the order of their arrival. */
    default boolean keepsOrder() {
        return true;
    }

    /** Completes when nothing is in flight in the background. */
    default CompletionStage<Void> settled() {
        return CompletableFuture.completedStage(null);
    }

    /** Frees resources that are not needed now. */
    default void trim() {}

    @Override
    void close();

    /**
     * A part of a listing.
     *
     * @param locks what was found
     * @param cursor where to go on; {@link #EDGE} if this was the last page
     */
    record Page(List<LockSnapshot> locks, String cursor) {

        /** Where a listing begins, and what its last page says. */
        public static final String EDGE = "0";

        /** Whether there is nothing behind it. */
        public boolean isLast() {
            return cursor.equals(EDGE);
        }
    }
}
