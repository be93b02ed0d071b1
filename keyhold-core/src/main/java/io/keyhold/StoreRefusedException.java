package io.keyhold;

import io.keyhold.internal.Preconditions;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the server replied with an error; on a quorum, when so many nodes did that no majority is left. The message has the
 * server's own words, and the cure where one is known. Nothing is held: what a script may have written before it was refused is
 * released in the background.
 *
 * <p>Most codes need a change of the program or of the server ({@code NOPERM}, {@code NOAUTH}, {@code WRONGPASS}, {@code OOM},
 * {@code MISCONF}). Some may pass ({@code READONLY}, {@code LOADING}, {@code MASTERDOWN}, {@code CLUSTERDOWN}, {@code TRYAGAIN},
 * {@code BUSY}, {@code NOREPLICAS}): a call that waits repeats the request, and throws this only if the error remains.
 */
public final class StoreRefusedException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    private final String code;

    /** Creates the exception with this message, for an error with this code. */
    public StoreRefusedException(String message, String code, @Nullable Throwable cause) {
        super(message, cause);
        this.code = Preconditions.given(code, "code");
    }

    /**
     * Returns the code of the error, such as {@code NOPERM}, {@code OOM} or {@code READONLY}; {@code ERR} if the server gave no other.
     * If a command inside a script failed, it is the code of that command.
     */
    public String code() {
        return code;
    }
}
