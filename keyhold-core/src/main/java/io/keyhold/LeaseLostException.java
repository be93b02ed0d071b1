package io.keyhold;

import java.util.Objects;

/** A lease that is needed is lost: the work that ran under it may have run beside another holder's. */
public final class LeaseLostException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    private final LeaseLost loss;

    /** With this message, about this loss. */
    public LeaseLostException(String message, LeaseLost loss) {
        super(message, null);
        this.loss = Objects.requireNonNull(loss, "loss");
    }

    /** What is known of the loss. */
    public LeaseLost loss() {
        return loss;
    }
}
