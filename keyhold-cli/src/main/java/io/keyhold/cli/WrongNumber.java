package io.keyhold.cli;

import io.keyhold.Keyhold;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.inspect.LockKind;
import org.jspecify.annotations.Nullable;

/** A semaphore that has another number of permits than was said. */
final class WrongNumber {

    private WrongNumber() {}

    /** What to throw instead of this refusal; the refusal itself if it is about another kind of lock. */
    static RuntimeException of(Keyhold keyhold, String key, @Nullable Integer said, SemaphoreLimitException refusal) {
        if (said == null || Look.at(keyhold, key).kind() != LockKind.SEMAPHORE) {
            return refusal;
        }
        int permits = refusal.permits();
        return new CliException(
                ExitCode.USAGE,
                "'" + key + "' has " + permits + " permits, not " + said + ": say --of " + permits
                        + ", or --resize to make it " + said + " for everybody",
                refusal);
    }
}
