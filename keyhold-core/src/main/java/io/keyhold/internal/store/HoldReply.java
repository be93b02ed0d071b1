package io.keyhold.internal.store;

import java.util.Optional;

/** What a store answers to whoever says that it holds a lock. */
public sealed interface HoldReply {

    /** It did hold the lock, and what was asked is done. */
    record Done() implements HoldReply {}

    /**
     * It does not hold the lock, and nothing was done.
     *
     * @param holder what stands in its place, if anything
     */
    record NotHeld(Optional<String> holder) implements HoldReply {}

    /**
     * Too few of those who would have to know have answered: it may hold the lock or not.
     *
     * @param detail who said nothing, and why
     */
    record Unknown(String detail) implements HoldReply {}

    /** It did hold the lock. */
    HoldReply DONE = new Done();
}
