package io.keyhold.spring;

import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
    private final AtomicReference<Rest> rest;
    private final AtomicInteger users = new AtomicInteger(1);

    /** With one user. */
    Hold(Keyhold client, HoldSpec spec, List<String> keys, Lease lease) {
        this.client = client;
        this.spec = spec;
        this.keys = keys;
        this.lease = lease;
        this.rest = new AtomicReference<>(Rest.of(spec));
    }

    /** For how long the keys stay taken from a grant on, even if all users are gone sooner. */
    private record Rest(long since, Duration atLeast) {

        static Rest of(HoldSpec spec) {
            return new Rest(System.nanoTime(), spec.atLeast());
        }

        Duration left() {
            Duration left = atLeast.minusNanos(System.nanoTime() - since);
            return left.isNegative() ? Duration.ZERO : left;
        }

        static Rest longer(Rest one, Rest other) {
            return one.left().compareTo(other.left()) >= 0 ? one : other;
        }
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

    /**
     * Finds the holds under which a call may go on, and adds the call to their users.
     *
     * @return holds that together have all the keys; empty if there are none
     */
    static List<Hold> join(Acquirer.Need need, Collection<Hold> candidates) {
        List<Hold> joined = new ArrayList<>();
        for (String key : need.keys()) {
            if (joined.stream().anyMatch(hold -> hold.has(key))) {
                continue;
            }
            Optional<Hold> covering = candidates.stream()
                    .filter(hold -> hold.has(key) && hold.covers(need) && hold.retain())
                    .findFirst();
            if (covering.isEmpty()) {
                joined.forEach(Hold::dropAsync);
                return List.of();
            }
            joined.add(covering.get());
        }
        joined.forEach(hold -> hold.rest.accumulateAndGet(Rest.of(need.spec()), Rest::longer));
        return joined;
    }

    /** Whether a call may go on under this lease, if its keys allow it. Never for permits, which are counted. */
    private boolean covers(Acquirer.Need need) {
        HoldSpec.Kind kind = need.spec().kind();
        boolean sameOrStronger =
                spec.kind() == kind || (spec.kind() == HoldSpec.Kind.WRITE && kind == HoldSpec.Kind.READ);
        return sameOrStronger && kind != HoldSpec.Kind.PERMITS && need.client() == client;
    }

    /** Adds a user. Returns false if the last one is gone. */
    boolean retain() {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** Called when the last user on the thread that acquired it leaves, before it drops. Another user, such as a stage, is on no thread. */
    void leaveThread() {
        if (users.get() > 1) {
            lease.detach();
        }
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
        Duration left = rest();
        if (!left.isZero()) {
            try {
                lease.releaseAfter(left);
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
        Duration left = rest();
        try {
            CompletableFuture<Boolean> released = left.isZero() ? lease.releaseAsync() : lease.releaseAfterAsync(left);
            // A failed release is repeated in the background, and logged by the client.
            return released.handle((held, failure) -> failure == null && !held ? lost() : null);
        } catch (RuntimeException refusal) {
            return lease.releaseAsync().handle((held, failure) -> refusal);
        }
    }

    private Duration rest() {
        return Objects.requireNonNull(rest.get()).left();
    }

    /** Drops several without blocking. Completes with what the first one throws that throws. */
    static CompletableFuture<@Nullable RuntimeException> dropAllAsync(List<Hold> holds) {
        CompletableFuture<@Nullable RuntimeException> failure = CompletableFuture.completedFuture(null);
        for (Hold hold : holds) {
            failure = failure.thenCombine(hold.dropAsync(), (first, own) -> first != null ? first : own);
        }
        return failure;
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
