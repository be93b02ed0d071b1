package io.keyhold.spring;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One lease and its users: the method that acquired it, calls inside that for the same keys, stages that have not completed, and a
 * transaction that goes on. The last user releases it.
 */
final class Hold {

    private static final System.Logger LOG = System.getLogger(Hold.class.getName());

    private final Keyhold client;
    private final HoldSpec spec;
    private final List<String> keys;
    private final Lease lease;
    private final long since = System.nanoTime();
    private final AtomicInteger users = new AtomicInteger(1);

    /** With one user. */
    Hold(Keyhold client, HoldSpec spec, List<String> keys, Lease lease) {
        this.client = client;
        this.spec = spec;
        this.keys = keys;
        this.lease = lease;
    }

    Lease lease() {
        return lease;
    }

    List<String> keys() {
        return keys;
    }

    boolean has(String key) {
        return keys.contains(key);
    }

    boolean isEnded() {
        return users.get() == 0;
    }

    /** Whether a call that asks this client for these keys may go on under this lease. Never for permits, which are counted. */
    boolean covers(Keyhold asked, HoldSpec.Kind kind, Collection<String> wanted) {
        boolean sameOrStronger =
                spec.kind() == kind || (spec.kind() == HoldSpec.Kind.WRITE && kind == HoldSpec.Kind.READ);
        return sameOrStronger && kind != HoldSpec.Kind.PERMITS && asked == client && keys.containsAll(wanted);
    }

    /** Adds a user. Returns false if the last one is gone. */
    boolean retain() {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /**
     * Takes a user away; the last one releases.
     *
     * @throws LeaseLostException if the lease was lost
     * @throws RuntimeException if the client refuses to keep the keys taken for so long; they are free then
     */
    void drop() {
        if (users.decrementAndGet() > 0) {
            check();
            return;
        }
        Duration rest = rest();
        if (!rest.isZero()) {
            try {
                lease.releaseAfter(rest);
            } catch (StoreUnavailableException | StoreRefusedException e) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "release of '" + lease.key() + "' is repeated in the background",
                        e);
            } catch (RuntimeException refusal) {
                closeAfter(refusal); // Otherwise it would be renewed for ever.
                throw refusal;
            }
        }
        lease.close(); // After releaseAfter it only reports a loss.
    }

    private void closeAfter(RuntimeException failure) {
        try {
            lease.close();
        } catch (LeaseLostException lost) {
            failure.addSuppressed(lost);
        }
    }

    /** Drops without blocking. Completes with what {@link #drop} throws, if it throws. */
    CompletableFuture<@Nullable RuntimeException> dropAsync() {
        if (users.decrementAndGet() > 0) {
            return CompletableFuture.completedFuture(lease.isHeld() ? null : lost());
        }
        Duration rest = rest();
        try {
            CompletableFuture<Boolean> released = rest.isZero() ? lease.releaseAsync() : lease.releaseAfterAsync(rest);
            // A failed release is repeated in the background, and logged by the client.
            return released.handle((held, failure) -> failure == null && !held ? lost() : null);
        } catch (RuntimeException refusal) {
            return lease.releaseAsync().handle((held, failure) -> refusal);
        }
    }

    private Duration rest() {
        Duration rest = spec.atLeast().minusNanos(System.nanoTime() - since);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /**
     * Checks that this is still held.
     *
     * @throws LeaseLostException if not
     */
    void check() {
        if (!lease.isHeld()) {
            throw lost();
        }
    }

    /** The loss as an exception. */
    LeaseLostException lost() {
        LeaseLost reported = lease.lost().toCompletableFuture().getNow(null);
        LeaseLost loss = reported != null
                ? reported
                : new LeaseLost(
                        lease.key(),
                        lease.token(),
                        lease.fencingToken(),
                        LeaseLost.Reason.EXPIRED,
                        "'" + lease.key() + "' is no longer held");
        return new LeaseLostException("lost the lock of " + spec.describe() + ": " + loss.detail(), loss);
    }
}
