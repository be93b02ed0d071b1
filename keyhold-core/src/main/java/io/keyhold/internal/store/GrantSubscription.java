package io.keyhold.internal.store;

import java.util.concurrent.CompletionStage;

/** The subscription of one client to its grant channel, on which a store sends the grants to its waiters. */
public interface GrantSubscription extends AutoCloseable {

    /** Returns the address for {@link QueuePlace#channel()}. */
    String address();

    /**
     * Sends a message to itself, which arrives as {@link Listener#probed()}. Returns whether the store knows of a subscriber.
     */
    CompletionStage<Boolean> probe();

    @Override
    void close();

    /** Receives messages. Called by one thread at a time, and must not block. */
    interface Listener {

        /** A waiter was given the lock. */
        void granted(GrantNotice notice);

        /** The lock for which this entry is the head of the queue may be free: its holder could not hand it over. */
        void freed(long number);

        /** A message of {@link GrantSubscription#probe()} arrived. */
        void probed();

        /** Nothing arrives any more. Called once. */
        void ended(Throwable reason);
    }
}
