package io.keyhold;

/**
 * Work that sees the lease that it runs under, returns nothing and may throw a checked exception.
 *
 * @param <X> what it may throw; {@link RuntimeException} if nothing checked
 */
@FunctionalInterface
public interface LeaseRunnable<X extends Exception> {

    /**
     * Does the work.
     *
     * @param lease the lease that the work runs under
     * @throws X if it fails
     */
    void run(Lease lease) throws X;
}
