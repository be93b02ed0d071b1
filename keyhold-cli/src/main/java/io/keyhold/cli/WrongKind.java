package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import java.util.List;

/** A key that is in use as something else than what was asked for: trying again does not help while it is. */
final class WrongKind {

    private WrongKind() {}

    /** What to throw instead of this refusal; the refusal itself if the keys look well by now, or it is about something else. */
    static RuntimeException of(
            Keyhold keyhold, List<String> keys, LockKind wanted, String name, StoreUnavailableException refusal) {
        if (Look.isWrongType(refusal)) {
            for (String key : keys) {
                LockSnapshot found = Look.at(keyhold, key);
                if (found.kind() != wanted && found.isHeld()) {
                    return isForeign(found)
                            ? Look.noLock(key, refusal)
                            : new CliException(ExitCode.USAGE, message(name, found), refusal);
                }
            }
        }
        return refusal;
    }

    private static boolean isForeign(LockSnapshot found) {
        return found.holders().stream().allMatch(LockHolder::foreign);
    }

    private static String message(String name, LockSnapshot found) {
        return name + " '" + found.key() + "' cannot be used: the key is in use as "
                + switch (found.kind()) {
                    case LOCK -> "a lock";
                    case SEMAPHORE -> "a semaphore of " + found.permits() + " permits";
                    case READ_WRITE -> "a read/write lock";
                };
    }
}
