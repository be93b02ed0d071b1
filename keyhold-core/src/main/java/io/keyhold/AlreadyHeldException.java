package io.keyhold;

/**
 * This thread asks again for a lock that it holds. It would wait for itself; {@link Lease#detach()} says that another
 * thread will release.
 */
public final class AlreadyHeldException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    /** With this message. */
    public AlreadyHeldException(String message) {
        super(message, null);
    }
}
