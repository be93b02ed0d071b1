package io.keyhold;

/**
 * Thrown when a lock or permits could not be acquired within the time or the number of attempts that the caller allowed. The
 * message names the holder, where it is known.
 */
public final class AcquireTimeoutException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    private final int attempts;

    /** Creates the exception with this message, after this many attempts. */
    public AcquireTimeoutException(String message, int attempts) {
        super(message, null);
        this.attempts = attempts;
    }

    /** Returns how many attempts were made, at least 1. */
    public int attempts() {
        return attempts;
    }
}
