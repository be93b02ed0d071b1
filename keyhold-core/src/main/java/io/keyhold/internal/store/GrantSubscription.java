package io.keyhold.internal.store;

import java.util.concurrent.CompletionStage;

/** Where a store tells one client of what it grants to its waiters. */
public interface Inbox extends AutoCloseable {

    /** What to put into {@link QueuePlace#inbox()}. */
    String address();

    /**
     * Sends a message to itself, which arrives as {@link Listener#probed()}. Returns whether the store knows of a subscriber.
     */
    CompletionStage<Boolean> probe();

    @Override
    void close();

    /** Hears what arrives. Called by one thread at a time, and must not block. */
    interface Listener {

        /** A waiter was given the lock. */
        void granted(GrantNotice notice);

        /** The lock for which this entry is the head of the queue may be free: its holder could not hand it over. */
        void freed(long number);

        /** {@link Inbox#probe()} went all the way. */
        void probed();

        /** Nothing arrives any more. Called once. */
        void ended(Throwable reason);
    }
}
