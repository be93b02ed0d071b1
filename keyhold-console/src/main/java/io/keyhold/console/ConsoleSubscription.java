package io.keyhold.console;

/** A page that gets ticks. */
public interface ConsoleSubscription extends AutoCloseable {

    /** Ends it; the last message, {@code bye}, is sent only when the console itself is closed. */
    @Override
    void close();
}
