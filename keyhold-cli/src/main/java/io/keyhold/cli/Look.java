package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.spi.RedisErrorException;

/** Looks at a key that somebody has typed, under which there may be anything. */
final class Look {

    private static final String WRONG_TYPE = "WRONGTYPE";

    private Look() {}

    /**
     * The lock, the semaphore or the read/write lock under this key, held or not.
     *
     * @throws CliException if there is something else
     */
    static LockSnapshot at(Keyhold keyhold, String key) {
        try {
            return keyhold.inspect().lock(key);
        } catch (StoreUnavailableException e) {
            if (isWrongType(e)) {
                throw noLock(key, e);
            }
            throw e;
        }
    }

    /** What to throw where there is something else. */
    static CliException noLock(String key, StoreUnavailableException refusal) {
        return new CliException(ExitCode.USAGE, "'" + key + "' is no lock: another program keeps data there", refusal);
    }

    /** Whether the server refused because of what is under the key. */
    static boolean isWrongType(StoreUnavailableException failure) {
        return failure.getCause() instanceof RedisErrorException refusal
                && refusal.code().equals(WRONG_TYPE);
    }
}
