package io.keyhold;

import org.jspecify.annotations.Nullable;

/**
 * Work that sees the lease that it runs under, returns a result and may throw a checked exception.
 *
 * @param <T> the result
 * @param <X> what it may throw; {@link RuntimeException} if nothing checked
 */
@FunctionalInterface
public interface LeaseCallable<T extends @Nullable Object, X extends Exception> {

    /**
     * Does the work.
     *
     * @param lease the lease that the work runs under
     * @return the result
     * @throws X if it fails
     */
    T call(Lease lease) throws X;
}
