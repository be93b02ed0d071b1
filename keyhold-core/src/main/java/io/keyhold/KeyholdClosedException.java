package io.keyhold;

/**
 * The client was closed, before the call or while it waited.
 */
public final class KeyholdClosedException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    /** With this message. */
    public KeyholdClosedException(String message) {
        super(message, null);
    }
}
