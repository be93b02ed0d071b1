package io.keyhold;

import io.keyhold.inspect.LockKind;
import io.keyhold.internal.Preconditions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a key is in use as something else than what it was used as: one key is either a lock, a semaphore or a read/write
 * lock, and none of them where another program keeps data. The data is left as it is. Choose another key.
 */
public final class WrongKindException extends KeyholdException {

    private static final long serialVersionUID = 1L;

    private final @Nullable LockKind found;

    /** Creates the exception with this message; {@code found} is empty for data of another program. */
    public WrongKindException(String message, Optional<LockKind> found, @Nullable Throwable cause) {
        super(message, cause);
        this.found = Preconditions.given(found, "found").orElse(null);
    }

    /** Returns what the key is in use as; empty if the data there is not Keyhold's, or is gone by now. */
    public Optional<LockKind> found() {
        return Optional.ofNullable(found);
    }
}
