package io.keyhold;

/**
 * Work that runs under a lock and sees its lease.
 *
 * @param <T> what it answers
 */
@FunctionalInterface
public interface LeaseTask<T> {

    /**
     * Does the work.
     *
     * @throws Exception whatever goes wrong
     */
    T call(Lease lease) throws Exception;
}
