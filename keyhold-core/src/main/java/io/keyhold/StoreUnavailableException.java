package io.keyhold;

import org.jspecify.annotations.Nullable;

/**
 * The server could not be reached, did not answer in time, or refused; the message names host and port, and has the
 * server's own words where there are any.
 */
public final class StoreUnavailableException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    private final boolean outcomeUnknown;

    /** With this message. */
    public StoreUnavailableException(String message, boolean outcomeUnknown, @Nullable Throwable cause) {
        super(message, cause);
        this.outcomeUnknown = outcomeUnknown;
    }

    /**
     * Whether the server may have done what it was asked for, though no reply came. False: it certainly has not. After
     * an acquire of unknown outcome a release is sent in the background, so that nothing stays locked for longer
     * than it takes to reach the server, or than the lease.
     */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }
}
