package io.keyhold.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Thrown when a command got no reply. {@link #failure()} says what that means for its outcome. */
public final class RedisConnectionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Failure failure;

    /** What happened to the command. */
    public enum Failure {
        /** There was no connection. The command was not sent, so it was not executed. */
        NOT_CONNECTED,
        /** The connection broke after the command may have been sent: it may have been executed, or not. */
        CONNECTION_LOST,
        /** No reply came within the command timeout: the command may still be executed. */
        TIMED_OUT
    }

    /**
     * Creates the exception.
     *
     * @param failure what happened to the command
     * @param message the driver's words, without any password in them
     * @param cause the client's own exception, if there is one
     */
    public RedisConnectionException(Failure failure, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.failure = Objects.requireNonNull(failure, "failure must not be null");
    }

    /** {@return what happened to the command} */
    public Failure failure() {
        return failure;
    }
}
