package io.keyhold;

/**
 * Thrown when the semaphore has another number of permits than this client is configured for, or fewer than were requested. The
 * message names both numbers.
 */
public final class SemaphoreLimitException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    private final int permits;

    /** Creates the exception with this message; {@code permits} is how many the semaphore has. */
    public SemaphoreLimitException(String message, int permits) {
        super(message, null);
        this.permits = permits;
    }

    /** Returns how many permits the semaphore has. */
    public int permits() {
        return permits;
    }
}
