package io.keyhold.embedded;

/** Thrown when another process listens on the port that was chosen. */
public final class PortTakenException extends EmbeddedRedisException {
    private static final long serialVersionUID = 1L;

    PortTakenException(String message) {
        super(message);
    }
}
