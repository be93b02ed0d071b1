package io.keyhold.embedded;

/** The server could not be found, started or controlled. The message ends with the server's own words, if it had any. */
public class EmbeddedRedisException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EmbeddedRedisException(String message) {
        super(message);
    }

    EmbeddedRedisException(String message, Throwable cause) {
        super(message, cause);
    }
}
