package io.keyhold;

/** Thrown when the client was closed before the call, or while it waited. */
public final class KeyholdClosedException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception with this message. */
    public KeyholdClosedException(String message) {
        super(message, null);
    }
}
