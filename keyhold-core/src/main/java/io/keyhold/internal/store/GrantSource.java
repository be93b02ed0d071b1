package io.keyhold.internal.store;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Where the grants of locks come from: one server with one clock, or a store that is to its clients as one. */
public interface GrantSource {

    /**
     * Opens the way by which grants reach a client that waits; empty if this source grants only by reply. It is not opened
     * again by itself after it has ended.
     */
    default CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener) {
        return CompletableFuture.completedStage(Optional.empty());
    }

    /** Looks whether keys have moved to another source ({@link LockStore#onMoves}). Called every few seconds while requests wait for grants from here. */
    default void lookForMoves() {}

    /** Returns whether no key has its grants from here any more, and none ever will. */
    default boolean isClosed() {
        return false;
    }
}
