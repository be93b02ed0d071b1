package io.keyhold.embedded;

/** Another process listens on the port. A reason to choose another port, unless the caller insists on this one. */
final class PortTakenException extends EmbeddedRedisException {
    private static final long serialVersionUID = 1L;

    PortTakenException(String message) {
        super(message);
    }
}
