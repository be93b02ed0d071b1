package io.keyhold.internal.store;

import java.util.concurrent.CompletionStage;

/** Where a store tells one client of what it grants to its waiters. */
public interface Inbox extends AutoCloseable {

    /** What to put into {@link QueuePlace#inbox()}. */
    String address();

    /**
     * Sends a message to itself, which arrives as {@link Listener#probed()}. Answers whether the store knows of anybody who
     * listens.
     */
    CompletionStage<Boolean> probe();

    @Override
    void close();

    /** Hears what arrives. Called by one thread at a time, and must not block. */
    interface Listener {

        /** A waiter was given the lock. */
        void granted(GrantNotice notice);

        /** The lock that this wait stands first in line for may be free: whoever held it knows of no hand-over. */
        void freed(long number);

        /** {@link Inbox#probe()} went all the way. */
        void probed();

        /** Nothing arrives any more. Called once. */
        void ended(Throwable reason);
    }
}
