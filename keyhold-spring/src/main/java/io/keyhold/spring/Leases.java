package io.keyhold.spring;

import io.keyhold.Lease;
import java.util.Optional;

/**
 * The leases that {@link Locked} and {@link Limited} methods hold on this thread: for the fencing token, and as a check that a lock is held.
 *
 * <pre>{@code
 * void writeLedger(long account, long cents) {                 // called by methods under @Locked("account:#{#account}")
 *     Lease lease = Leases.require("account:" + account);
 *     ledger.write(account, cents, lease.fencingToken());
 * }
 * }</pre>
 *
 * <p>A lease that these methods return is released by the method that acquired it: do not close it. Work on other threads, and inside a {@code Mono} or {@code
 * Flux}, does not see them.
 */
public final class Leases {

    private Leases() {}

    /**
     * Returns the lease that was acquired last and is still held for this thread, by a method that runs or for a transaction that goes on.
     *
     * @return the lease, or empty if there is none
     */
    public static Optional<Lease> current() {
        return ThreadHolds.newestFirst().stream().map(Hold::lease).findFirst();
    }

    /**
     * Returns the lease on this key, or fails: put this at the start of code that relies on a lock. It finds calls on {@code this}, which do not pass
     * the proxy and so acquire no lock.
     *
     * @param key a key, as {@link Locked#key} gave it
     * @return the lease
     * @throws IllegalStateException if no method of this thread holds this key
     * @throws io.keyhold.LeaseLostException if it was held, and is lost
     */
    public static Lease require(String key) {
        Hold held = ThreadHolds.newestFirst().stream()
                .filter(hold -> hold.has(key))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("this thread holds no lock on '" + key
                        + "': call the @Locked method through its bean, not on this; held are " + ThreadHolds.keys()));
        held.check();
        return held.lease();
    }
}
