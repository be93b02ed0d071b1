package io.keyhold.internal.engine;

import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Rules;
import io.keyhold.internal.Texts;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.RenewRequest;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A lease and its life: held, and from there once and for all to released, handed off or lost. Every way out is one
 * compare-and-set on {@link #state}; what follows from it is done by the thread that won.
 */
final class HeldLease implements Lease {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private enum State {
        HELD,
        RELEASED,
        HANDED_OFF,
        LOST
    }

    private final Engine engine;
    private final Grant grant;
    private final Owner owner;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private volatile Validity validity;
    private final CompletableFuture<LeaseLost> lost = new CompletableFuture<>();
    private volatile long leaseMillis;
    private volatile @Nullable LeaseLost loss;
    /** The next look at this lease; touched by {@link LeaseWatch} only. */
    volatile Scheduler.@Nullable Timer nextLook;

    HeldLease(Engine engine, Grant grant) {
        this.engine = engine;
        this.grant = grant;
        this.owner = new Owner(grant.owner());
        this.validity = grant.validity();
        this.leaseMillis = grant.ask().leaseMillis();
    }

    @Override
    public String key() {
        return lockKey().name();
    }

    @Override
    public String token() {
        return grant.token();
    }

    @Override
    public long fencingToken() {
        return grant.fencingToken();
    }

    @Override
    public int attempts() {
        return grant.attempts();
    }

    @Override
    public boolean isHeld() {
        return isOpen() && remainingNanos() > 0;
    }

    @Override
    public boolean isOwned() {
        RenewRequest question = new RenewRequest(lockKey().stored(), token(), AcquireRequest.NO_EXPIRY);
        return engine.await(caller -> engine.store()
                .renew(List.of(question), caller.mode())
                .thenApply(replies -> replies.get(0) instanceof HoldReply.Done));
    }

    @Override
    public Duration remaining() {
        if (!isHeld()) {
            return Duration.ZERO;
        }
        return validity.endless() ? Validity.FOR_EVER : Duration.ofNanos(Math.max(0, remainingNanos()));
    }

    @Override
    public boolean extend(Duration lease) {
        long millis = Rules.lease(lease).toMillis();
        if (!isHeld()) {
            loseIfOver();
            return false;
        }
        if (leaseMillis == AcquireRequest.NO_EXPIRY) {
            return isOwned();
        }
        Moment sent = Moment.now(engine.clock());
        RenewRequest request = new RenewRequest(lockKey().stored(), token(), millis);
        HoldReply reply = engine.await(
                caller -> engine.store().renew(List.of(request), caller.mode()).thenApply(replies -> replies.get(0)));
        leaseMillis = millis;
        return renewed(sent, millis, reply) && isHeld();
    }

    @Override
    public boolean release() {
        if (!isOpen()) {
            // Also after the client was closed, which has released it and takes no more calls.
            owner.leave();
            return false;
        }
        return engine.await(this::release);
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        return engine.callbacks().forUser(release(engine.asynchronously()));
    }

    @Override
    public CompletionStage<LeaseLost> lost() {
        return lost.minimalCompletionStage();
    }

    @Override
    public Lease detach() {
        engine.disown(this);
        owner.leave();
        return this;
    }

    @Override
    public String handOff() {
        if (isHeld() && state.compareAndSet(State.HELD, State.HANDED_OFF)) {
            letGo();
            return token();
        }
        loseIfOver();
        throw lostException();
    }

    @Override
    public void close() {
        try {
            release();
        } catch (RuntimeException e) {
            // The work is done, and the release goes on in the background: nothing that the caller could do better.
            LOG.log(Level.INFO, "lock {0} could not be released at once; trying again until its lease ends", lockKey());
            LOG.log(Level.DEBUG, "the failed release", e);
        }
    }

    @Override
    public String toString() {
        return "lease of lock " + lockKey() + " (" + state.get() + ", fencing token " + fencingToken() + ")";
    }

    LockKey lockKey() {
        return grant.ask().key();
    }

    boolean isOpen() {
        return state.get() == State.HELD;
    }

    @Nullable
    Thread takenBy() {
        return grant.owner();
    }

    boolean isRenewed() {
        return grant.ask().options().isRenewed();
    }

    /** How long the server holds this without renewal, in milliseconds; 0 if for ever. */
    long leaseMillis() {
        return leaseMillis;
    }

    Validity validity() {
        return validity;
    }

    long remainingNanos() {
        return validity.remainingNanos(engine.clock());
    }

    /** Takes note of a store's answer to a renewal that was sent at this moment. Answers whether it goes on. */
    boolean renewed(Moment sent, long millis, HoldReply reply) {
        if (reply instanceof HoldReply.NotHeld not) {
            lose(reasonOf(not), detailOf(not));
            return false;
        }
        prolong(new Validity(sent, millis));
        return true;
    }

    private synchronized void prolong(Validity fresh) {
        validity = fresh.later(validity, engine.clock());
    }

    /** Ends the lease as lost if its time is over. Answers whether it is. */
    boolean loseIfOver() {
        if (remainingNanos() > 0) {
            return false;
        }
        if (isRenewed()) {
            lose(
                    LeaseLost.Reason.UNREACHABLE,
                    "it could not be renewed before its lease of " + leaseMillis + " ms ended");
        } else {
            lose(LeaseLost.Reason.EXPIRED, "it was held for longer than its lease of " + leaseMillis + " ms");
        }
        return true;
    }

    CompletableFuture<Boolean> release(Caller caller) {
        loseIfOver();
        if (!state.compareAndSet(State.HELD, State.RELEASED)) {
            owner.leave();
            return CompletableFuture.completedFuture(false);
        }
        letGo();
        return new Release(engine, this, caller).start();
    }

    /** After a release that found the lock in other hands: it had been lost before, and nobody had noticed. */
    void foundLost(HoldReply.NotHeld reply) {
        report(reasonOf(reply), detailOf(reply));
    }

    /** The end of what this client does for the lease, for whatever reason. */
    private void letGo() {
        owner.leave();
        engine.forget(this);
    }

    private void lose(LeaseLost.Reason reason, String detail) {
        if (state.compareAndSet(State.HELD, State.LOST)) {
            engine.forget(this);
            report(reason, detail);
            boolean serverMayHoldIt = reason == LeaseLost.Reason.EXPIRED || reason == LeaseLost.Reason.UNREACHABLE;
            if (serverMayHoldIt && grant.ask().options().token().isEmpty()) {
                engine.undo().release(lockKey(), token(), new Validity(Moment.now(engine.clock()), leaseMillis));
            }
        }
    }

    private void report(LeaseLost.Reason reason, String detail) {
        LeaseLost report =
                new LeaseLost(key(), token(), fencingToken(), reason, "lock " + lockKey() + " was lost: " + detail);
        loss = report;
        LOG.log(Level.INFO, "lock {0} was lost: {1}", lockKey(), reason);
        LOG.log(Level.DEBUG, report.detail());
        if (grant.ask().options().interruptOnLoss()) {
            owner.interrupt();
        }
        engine.callbacks().run(() -> lost.complete(report));
        grant.ask().options().onLost().ifPresent(listener -> engine.callbacks().run(() -> listener.accept(report)));
    }

    /** What happened to this lease, if it was lost. */
    Optional<LeaseLost> loss() {
        return Optional.ofNullable(loss);
    }

    /** For whoever needs a lease that is not held any more. */
    LeaseLostException lostException() {
        LeaseLost known = loss().orElseGet(() -> new LeaseLost(
                key(),
                token(),
                fencingToken(),
                LeaseLost.Reason.GONE,
                "lock " + lockKey() + " is not held: it was released"));
        return new LeaseLostException(known.detail(), known);
    }

    /** Lets the owner go for good, and answers whether a loss had interrupted it. */
    boolean leaveOwner() {
        return owner.leave();
    }

    private static LeaseLost.Reason reasonOf(HoldReply.NotHeld reply) {
        return reply.holder().isPresent() ? LeaseLost.Reason.TAKEN : LeaseLost.Reason.GONE;
    }

    private static String detailOf(HoldReply.NotHeld reply) {
        return reply.holder()
                .map(holder -> "in its place stands " + Texts.cut(holder, 200))
                .orElse("the key is gone: it expired or was deleted, or the server lost its memory");
    }
}
