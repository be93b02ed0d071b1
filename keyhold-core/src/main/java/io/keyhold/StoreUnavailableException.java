package io.keyhold;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the server could not be reached, or did not reply in time; on a quorum, when no majority of the nodes took part. The
 * same call may succeed later. A server that replies with an error throws {@link StoreRefusedException} instead.
 */
public final class StoreUnavailableException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    private final boolean outcomeUnknown;

    /** Creates the exception with this message. */
    public StoreUnavailableException(String message, boolean outcomeUnknown, @Nullable Throwable cause) {
        super(message, cause);
        this.outcomeUnknown = outcomeUnknown;
    }

    /**
     * Returns whether the server may have executed the request, although no reply came; if false, it certainly has not. After an
     * acquire with an unknown outcome a release is sent in the background, so that nothing stays locked for longer than it
     * takes to reach the server, or than the lease.
     */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }
}
