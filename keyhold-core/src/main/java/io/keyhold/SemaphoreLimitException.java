package io.keyhold;

/**
 * The semaphore has another number of permits than this client says, or fewer than it asks for. The message names both
 * numbers.
 */
public final class SemaphoreLimitException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    private final int permits;

    /** With this message; the semaphore has so many permits. */
    public SemaphoreLimitException(String message, int permits) {
        super(message, null);
        this.permits = permits;
    }

    /** How many permits the semaphore has. */
    public int permits() {
        return permits;
    }
}
