package io.keyhold.spi;

/**
 * Receives the messages of a channel. Called by one thread at a time, in the order in which the server sent them, and must not
 * block: it would delay all later messages.
 */
public interface RedisListener {

    /**
     * Called for each message that is published on the channel.
     *
     * @param text the message
     */
    void onMessage(String text);

    /**
     * Called when no message will follow: the connection broke, the server closed it, or the subscription or its driver was
     * closed. Called once, and only after the subscription had begun.
     *
     * @param reason why it ended
     */
    void onClosed(Throwable reason);
}
