package io.keyhold;

/**
 * Work that returns nothing and may throw a checked exception.
 *
 * @param <X> what it may throw; {@link RuntimeException} if nothing checked
 */
@FunctionalInterface
public interface CheckedRunnable<X extends Exception> {

    /**
     * Does the work.
     *
     * @throws X if it fails
     */
    void run() throws X;
}
