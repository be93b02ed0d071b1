package io.keyhold;

import org.jspecify.annotations.Nullable;

/**
 * Work that returns a result and may throw a checked exception.
 *
 * @param <T> the result
 * @param <X> what it may throw; {@link RuntimeException} if nothing checked
 */
@FunctionalInterface
public interface CheckedCallable<T extends @Nullable Object, X extends Exception> {

    /**
     * Does the work.
     *
     * @return the result
     * @throws X if it fails
     */
    T call() throws X;
}
