package io.keyhold;

/**
 * Thrown when a thread waits for a lock that it already holds, which would deadlock. {@link DistributedLock#asLock()} is
 * reentrant; {@link Lease#detach()} declares that another thread will release.
 */
public final class AlreadyHeldException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception with this message. */
    public AlreadyHeldException(String message) {
        super(message, null);
    }
}
