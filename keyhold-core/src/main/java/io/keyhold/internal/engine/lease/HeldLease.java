package io.keyhold.internal.engine.lease;

import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLostException;
import io.keyhold.internal.Formats;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.Caller;
import io.keyhold.internal.time.ClockReading;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A lease from its grant to its end: it is held, and then released, handed off or lost, once and for all. Every end is one
 * compare-and-set of {@link #state}; the thread that wins it does what follows.
 *
 * <p>A lease that is the head of the local queue promotes its successor exactly once, however it ends: by {@link #release} (with the
 * lock, or after the release), by {@link #handOff} or by a loss.
 */
public final class HeldLease extends LeaseRenewer.Renewable implements Lease {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Leases leases;
    private final Grant grant;
    private final Owner owner;
    private final AtomicReference<LeaseState> state = new AtomicReference<>(LeaseState.HELD);
    private volatile Validity validity;
    private final CompletableFuture<LeaseLost> lost = new CompletableFuture<>();
    private volatile long leaseMillis;
    private final TokenUse tokenUse = new TokenUse();
    /** Undoes a request for this lease that may reach the server after its end: its reply was lost. */
    private volatile @Nullable ReleaseRequest lateRequest;

    HeldLease(Leases leases, Grant grant) {
        this.leases = leases;
        this.grant = grant;
        this.owner = new Owner(grant.owner());
        this.validity = grant.validity();
        this.leaseMillis = Grant.leaseMillis(grant.options());
    }

    @Override
    public String key() {
        return subject().name();
    }

    @Override
    public String token() {
        return tokenUse.read() ? hold().tokenForUser() : hold().staleToken();
    }

    /** Returns the holder, as the store knows it. */
    public String storedToken() {
        return hold().token();
    }

    @Override
    public long fencingToken() {
        return hold().fencingToken();
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
        if (tokenUse.isPassed()) {
            return false; // The store knows the next hold by the same token.
        }
        RenewRequest question = RenewRequest.question(subject().claim(), storedToken());
        return leases.store()
                .awaitRepeatable(caller -> leases.store()
                        .store()
                        .renew(List.of(question), caller.mode())
                        .thenApply(replies -> StoreFailure.known(replies.get(0)) instanceof HoldReply.Done));
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
        long asked = Preconditions.lease(lease).toMillis();
        if (!isHeld()) {
            loseIfOver();
            return false;
        }
        long millis = leaseMillis == AcquireRequest.NO_EXPIRY ? AcquireRequest.NO_EXPIRY : asked;
        ClockReading sent = ClockReading.now(leases.clock());
        RenewRequest request = new RenewRequest(subject().claim(), storedToken(), millis);
        HoldReply reply = leases.store()
                .awaitRepeatable(caller -> leases.store()
                        .store()
                        .renew(List.of(request), caller.mode())
                        .thenApply(replies -> StoreFailure.known(replies.get(0))));
        leaseMillis = millis;
        return renewed(sent, millis, reply) && isHeld();
    }

    @Override
    public boolean release() {
        if (!isOpen()) {
            // Also after the client was closed, which has released it and refuses further calls.
            owner.leave();
            return false;
        }
        return leases.store().await(this::release);
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        return leases.callbacks().forUser(release(leases.asynchronously()));
    }

    @Override
    public CompletionStage<LeaseLost> lost() {
        return lost.minimalCompletionStage();
    }

    @Override
    public Lease detach() {
        leases.disown(this);
        owner.leave();
        return this;
    }

    @Override
    public String handOff() {
        if (isHeld() && state.compareAndSet(LeaseState.HELD, LeaseState.HANDED_OFF)) {
            letGo();
            promoteNext();
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
            // The work is done and the release continues in the background: the caller could do nothing better.
            LOG.log(Level.INFO, "{0} could not be released at once; it ends with its lease at the latest", subject());
            LOG.log(Level.DEBUG, "the failed release", e);
        }
    }

    @Override
    public String toString() {
        return "lease of " + subject() + " (" + state().name + ", fencing token " + fencingToken() + ")";
    }

    public Subject subject() {
        return grant.subject();
    }

    private LeaseState state() {
        return Objects.requireNonNull(state.get());
    }

    @Override
    boolean isOpen() {
        return state() == LeaseState.HELD;
    }

    @Nullable
    Thread takenBy() {
        return grant.owner();
    }

    @Override
    boolean isRenewed() {
        return grant.options().isRenewed();
    }

    @Override
    long leaseMillis() {
        return leaseMillis;
    }

    @Override
    Validity validity() {
        return validity;
    }

    long remainingNanos() {
        return validity.remainingNanos(leases.clock());
    }

    @Override
    RenewRequest renewRequest() {
        return new RenewRequest(subject().claim(), storedToken(), leaseMillis);
    }

    ReleaseRequest releaseRequest() {
        return ReleaseRequest.of(subject().claim(), storedToken());
    }

    @Override
    boolean renewed(ClockReading sent, long millis, HoldReply reply) {
        if (reply instanceof HoldReply.NotHeld not) {
            lose(reasonOf(not), detailOf(not));
            return false;
        }
        return prolong(new Validity(sent, millis)) || !loseIfOver();
    }

    /** Prolongs the lease unless its time is over, whatever the store says: a user may have seen that it was not held. */
    private synchronized boolean prolong(Validity fresh) {
        Validity longer = fresh.later(validity, leases.clock());
        boolean goesOn = remainingNanos() > 0;
        validity = goesOn ? longer : validity;
        return goesOn;
    }

    @Override
    public boolean loseIfOver() {
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

    /** Releases as {@link #release()} does, with its steps run by this caller. */
    public CompletableFuture<Boolean> release(Caller caller) {
        loseIfOver();
        if (!state.compareAndSet(LeaseState.HELD, LeaseState.RELEASED)) {
            owner.leave();
            return CompletableFuture.completedFuture(false);
        }
        letGo();
        CompletableFuture<Boolean> released =
                grant.headOfLocalQueue() ? leases.handOverOrRelease(this, caller) : leases.release(this, caller);
        released.whenComplete((outcome, failure) -> undoLateRequest());
        return released;
    }

    private void undoLateRequest() {
        ReleaseRequest late = lateRequest;
        if (late != null) {
            leases.releaseInBackground(this, late);
        }
    }

    /** Ends the lease without a release: another lease has taken over its lock on the server. */
    public void endUnreleased() {
        if (state.compareAndSet(LeaseState.HELD, LeaseState.HANDED_OFF)) {
            letGo();
            undoLateRequest();
            if (leases.store().store().usesTokensOnce()) {
                leases.releaseInBackground(this, releaseRequest()); // On nodes that took no part in the take-over.
            }
        }
    }

    /**
     * Undoes a request for this lease after its end: the reply was lost, and it may still be in flight. The token counts as read, so
     * that no later hold of this client uses it.
     */
    public void undoAfterEnd(ReleaseRequest late) {
        tokenUse.read();
        lateRequest = late;
    }

    private void promoteNext() {
        if (grant.headOfLocalQueue()) {
            leases.promoteNext(this);
        }
    }

    /** Reports a loss that only the release has found. */
    void foundLost(HoldReply.NotHeld reply) {
        LeaseLost loss = loss(reasonOf(reply), detailOf(reply));
        state.set(LeaseState.lost(loss));
        report(loss);
    }

    private void letGo() {
        owner.leave();
        leases.end(this);
    }

    private void lose(LeaseLost.Reason reason, String detail) {
        LeaseLost loss = loss(reason, detail);
        if (state.compareAndSet(LeaseState.HELD, LeaseState.lost(loss))) {
            leases.end(this);
            report(loss);
            // Some of it may still be held. But a token that the user chose or adopted may be in use elsewhere.
            boolean something = reason == LeaseLost.Reason.UNREACHABLE
                    || subject().claim().keys().size() > 1;
            if (something && grant.origin() == Grant.Origin.OURS) {
                leases.releaseInBackground(this, releaseRequest());
            }
            undoLateRequest();
            promoteNext();
        }
    }

    private LeaseLost loss(LeaseLost.Reason reason, String detail) {
        return new LeaseLost(key(), token(), fencingToken(), reason, subject() + " was lost: " + detail);
    }

    private void report(LeaseLost report) {
        if (grant.options().interruptOnLoss()) {
            owner.interrupt();
        }
        // Logged there too: this may be the timer's thread, on which renewals depend, and thousands may be lost at
        // once.
        leases.callbacks().runLoss(() -> {
            LOG.log(Level.WARNING, "{0} was lost: {1}", subject(), report.reason());
            LOG.log(Level.DEBUG, report.detail());
            lost.complete(report);
        });
        grant.options().onLost().ifPresent(listener -> leases.callbacks().runLoss(() -> listener.accept(report)));
    }

    /** Returns how this lease was lost, if it was. */
    public Optional<LeaseLost> loss() {
        return Optional.ofNullable(state().loss);
    }

    /** Returns the exception for a caller that needs this lease, which is not held any more. */
    public LeaseLostException lostException() {
        LeaseLost known = loss().orElseGet(() -> new LeaseLost(
                key(), token(), fencingToken(), LeaseLost.Reason.GONE, subject() + " is not held: it was released"));
        return new LeaseLostException(known.detail(), known);
    }

    /** Returns whether its token may be released in the background: one that the user chose may be in use again by then. */
    boolean mayBeReleasedLater() {
        return grant.origin() != Grant.Origin.CALLERS;
    }

    /** Passes its token on to the next local hold, unless a user has read it. Returns whether it did. */
    boolean passToken() {
        return tokenUse.pass();
    }

    CohortHold hold() {
        return grant.hold();
    }

    /** Describes this lease to a request that waits for its lock. */
    public AcquireReply.Busy asHolder() {
        return new AcquireReply.Busy(
                Optional.of(storedToken()),
                validity.endless()
                        ? OptionalLong.empty()
                        : OptionalLong.of(
                                Duration.ofNanos(Math.max(0, remainingNanos())).toMillis()),
                OptionalLong.empty(),
                AcquireReply.HolderKind.KEYHOLD);
    }

    /** Detaches the owner for good. Returns whether a loss has interrupted it. */
    public boolean leaveOwner() {
        return owner.leave();
    }

    private static LeaseLost.Reason reasonOf(HoldReply.NotHeld reply) {
        return reply.holder().isPresent() ? LeaseLost.Reason.TAKEN : LeaseLost.Reason.GONE;
    }

    private static String detailOf(HoldReply.NotHeld reply) {
        return reply.holder()
                .map(holder -> "now held by " + Formats.cut(holder, 200))
                .orElse("no longer on the server: expired, force-released, or lost in a restart");
    }
}
