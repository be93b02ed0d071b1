package io.keyhold.internal.store;

/**
 * Too few replicas have acknowledged what the server has written, so that it does not count, and must be released. Becomes the cause of the
 * exception that the user gets.
 */
public final class UnacknowledgedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String code;
    private final boolean passing;

    /** Creates the exception of an error with this code; {@code passing} says whether the same call may succeed later. */
    public UnacknowledgedException(String message, String code, boolean passing) {
        super(message);
        this.code = code;
        this.passing = passing;
    }

    public String code() {
        return code;
    }

    boolean isPassing() {
        return passing;
    }
}
