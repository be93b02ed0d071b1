package io.keyhold.spi;

/**
 * Hears what is said on a channel. Called by one thread at a time, in the order in which the server sent it, and must not
 * block: whatever it keeps waiting, it keeps all later messages waiting.
 */
public interface RedisListener {

    /** A message was published on the channel. */
    void message(String text);

    /**
     * Nothing will be heard any more: the connection broke, the server ended it, or the subscription or its driver was
     * closed. Called once, and only after the subscription had begun.
     */
    void ended(Throwable reason);
}
