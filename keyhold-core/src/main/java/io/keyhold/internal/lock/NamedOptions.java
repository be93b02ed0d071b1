package io.keyhold.internal.lock;

import io.keyhold.HoldOptions;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What the configuration of a client says about locks and semaphores by their name. It wins over the program. */
public record NamedOptions(
        Map<String, UnaryOperator<LockOptions.Builder>> locks,
        Map<String, UnaryOperator<SemaphoreOptions.Builder>> semaphores) {

    /** Overrides nothing. */
    public static final NamedOptions NONE = new NamedOptions(Map.of(), Map.of());

    /** Copies the maps: the builder may be used again. */
    public NamedOptions {
        locks = Map.copyOf(locks);
        semaphores = Map.copyOf(semaphores);
    }

    LockOptions of(LockOptions options) {
        return change(locks, options)
                .map(change -> change.apply(options.toBuilder()).build())
                .orElse(options);
    }

    SemaphoreOptions of(SemaphoreOptions options) {
        return change(semaphores, options)
                .map(change -> change.apply(options.toBuilder()).build())
                .orElse(options);
    }

    private static <C> Optional<C> change(Map<String, C> changes, HoldOptions options) {
        return changes.isEmpty() ? Optional.empty() : options.name().map(changes::get);
    }
}
