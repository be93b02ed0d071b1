package io.keyhold;

/** The lock could not be had within the time or the number of attempts that the caller allowed. */
public final class AcquireTimeoutException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    private final int attempts;

    /** With this message, after so many attempts. */
    public AcquireTimeoutException(String message, int attempts) {
        super(message, null);
        this.attempts = attempts;
    }

    /** How many times the lock was asked for, from 1. */
    public int attempts() {
        return attempts;
    }
}
