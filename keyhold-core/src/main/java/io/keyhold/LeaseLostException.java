package io.keyhold;

import io.keyhold.internal.Preconditions;

/** Thrown when a lease was lost before the work under it ended: another client may have held the lock at the same time. */
public final class LeaseLostException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    private final LeaseLost loss;

    /** Creates the exception with this message, about this loss. */
    public LeaseLostException(String message, LeaseLost loss) {
        super(message, null);
        this.loss = Preconditions.given(loss, "loss");
    }

    /** Returns what is known of the loss. */
    public LeaseLost loss() {
        return loss;
    }
}
