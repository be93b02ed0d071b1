package io.keyhold.internal.engine;

import io.keyhold.LockOptions;
import io.keyhold.internal.store.AcquireRequest;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The end of a hold behind which others of the same client may be waiting. Where the turn may go on, the next of them has the
 * lock at once, and the store is not asked; else the lock is released there, for whoever waits in all the world, and the
 * next asks for it like everybody. The technique is known as <em>lock cohorting</em> (Dice, Marathe and Shavit): a lock of two levels, whose
 * global level is passed among the threads of one node, here of one client, for a bounded number of times.
 */
final class LocalPass {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    /** A lease that is not renewed is passed only while this part of it, at most, is used up. */
    private static final int USED_UP_OF_FIXED = 10;

    /** A renewed one until its renewal is due. */
    private static final int USED_UP_OF_RENEWED = 3;

    private LocalPass() {}

    /** Ends the hold. Answers as {@link io.keyhold.Lease#release()} does. */
    static CompletableFuture<Boolean> orRelease(Engine engine, HeldLease lease, Caller caller) {
        Optional<Acquisition> next = engine.nextAtGate(lease.subject().claim().key());
        if (next.isPresent() && passesOn(engine, lease, next.get().ask())) {
            LOG.log(Level.DEBUG, () -> lease.subject() + " was passed on within the client");
            next.get().take(lease.turn().next(), lease.validity());
            return CompletableFuture.completedFuture(true);
        }
        next.ifPresent(Acquisition::awaitRelease);
        CompletableFuture<Boolean> released = new Release(engine, lease, caller).start();
        next.ifPresent(waiter -> released.whenComplete((outcome, failure) -> waiter.lead(failure)));
        return released;
    }

    private static boolean passesOn(Engine engine, HeldLease lease, Ask next) {
        Turn turn = lease.turn();
        LockOptions options = next.options();
        return turn.passes() < options.maxLocalPasses()
                && turn.began().nanosSince(engine.clock())
                        < options.maxLocalTime().toNanos()
                && lease.leaseMillis() == next.leaseMillis()
                && lease.isRenewed() == options.isRenewed()
                && hasLife(engine, lease)
                && lease.passToken();
    }

    private static boolean hasLife(Engine engine, HeldLease lease) {
        if (lease.leaseMillis() == AcquireRequest.NO_EXPIRY) {
            return true;
        }
        int part = lease.isRenewed() ? USED_UP_OF_RENEWED : USED_UP_OF_FIXED;
        return lease.validity().ageNanos(engine.clock()) < TimeUnit.MILLISECONDS.toNanos(lease.leaseMillis()) / part;
    }
}
