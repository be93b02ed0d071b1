package io.keyhold.internal.engine.lease;

import io.keyhold.KeyholdListener;
import io.keyhold.KeyholdListener.Ended;
import io.keyhold.Lease;
import io.keyhold.LeaseLost;
import io.keyhold.LeaseLost.Reason;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.event.RequestEvents;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.time.Caller;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
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
public final class HeldLease implements Lease {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Leases leases;
    private final Grant grant;
    private final long beganNanos;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private final CompletableFuture<LeaseLost> lost = new CompletableFuture<>();
    /** Guards the owner and {@link #lossThrown}. Not this lease, which user code may synchronize on. */
    private final Object guard = new Object();

    /** The thread to be interrupted by a loss, until it lets go of the lease: later it may have gone on to other work. */
    private @Nullable Thread owner;

    private boolean interrupted;
    private volatile boolean part;
    /** Whether {@link #close()} has reported the loss. */
    private boolean lossThrown;

    private final LeaseTerm term;
    /** The next check of this lease. Only the renewer touches it; it is here to save a map with an entry for each lease. */
    volatile LeaseRenewer.@Nullable NextCheck nextCheck;

    /** Compensates for a request for this lease that may reach the server after its end: its reply was lost. */
    private volatile @Nullable ReleaseRequest lateRequest;

    /**
     * What a lease begins with.
     *
     * @param subject what is held
     * @param options how it is held
     * @param hold the token and the fencing token
     * @param attempts how many attempts it took
     * @param validity how long the hold is certain
     * @param owner the thread that acquired it, if it belongs to a thread
     * @param origin where the token comes from
     * @param headOfLocalQueue whether other requests of this client may wait behind it
     * @param path how it came
     * @param events told of its end, if there are listeners and it is no part of another
     */
    public record Grant(
            Subject subject,
            LockOptions options,
            CohortHold hold,
            int attempts,
            Validity validity,
            @Nullable Thread owner,
            Origin origin,
            boolean headOfLocalQueue,
            KeyholdListener.Granted.Path path,
            @Nullable RequestEvents events) {}

    /** Where a token comes from. Only a token of ours is certain to be used for one hold, and may be released in the background. */
    public enum Origin {
        OURS,
        CALLERS,
        ADOPTED
    }

    /** A loss and a release are part of the state, so that a reader always sees them. Without a release, its future is done. */
    private record State(String name, @Nullable LeaseLost loss, CompletableFuture<Boolean> released) {
        static final State HELD = unreleased("held", null);
        static final State HANDED_OFF = unreleased("handed off", null);

        static State unreleased(String name, @Nullable LeaseLost loss) {
            return new State(name, loss, CompletableFuture.completedFuture(false));
        }
    }

    HeldLease(Leases leases, Grant grant) {
        this.leases = leases;
        this.grant = grant;
        this.beganNanos = leases.clock.monotonicNanos();
        this.owner = grant.owner();
        this.term = new LeaseTerm(leases.clock, grant.validity(), leaseMillis(grant.options()));
    }

    /** Returns the length of a lease with these options in milliseconds, {@link AcquireRequest#NO_EXPIRY} if it has no expiry. */
    public static long leaseMillis(LockOptions options) {
        return options.lease().isPresent() ? options.lease().get().toMillis() : AcquireRequest.NO_EXPIRY;
    }

    @Override
    public String key() {
        return subject().name();
    }

    @Override
    public String token() {
        return hold().readToken();
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
        return isOpen() && term.remainingNanos() > 0;
    }

    @Override
    public boolean isHeldOnServer() {
        if (hold().isHandedOver()) {
            return false; // The store knows the next hold by the same token.
        }
        return leases.store.renew(RenewRequest.question(subject().claim(), storedToken())) instanceof HoldReply.Done;
    }

    @Override
    public Duration remaining() {
        if (!isHeld()) {
            return Duration.ZERO;
        }
        return term.validity().endless() ? ENDLESS : Duration.ofNanos(Math.max(0, term.remainingNanos()));
    }

    @Override
    public boolean extend(Duration lease) {
        long asked = Preconditions.lease(lease).toMillis();
        if (!isHeld()) {
            loseIfOver();
            return false;
        }
        long millis = term.millis() == AcquireRequest.NO_EXPIRY ? AcquireRequest.NO_EXPIRY : asked;
        RenewRequest request = new RenewRequest(subject().claim(), storedToken(), millis);
        leases.refuseTooLong(request);
        Validity fresh = term.ask(millis);
        if (!isOpen()) {
            return false; // It may have been handed over, so that the store knows the next hold by this token.
        }
        HoldReply reply = leases.store.renew(request);
        term.millis(millis);
        return renewed(fresh, reply) && isHeld();
    }

    @Override
    public boolean release() {
        return release(0);
    }

    @Override
    public boolean releaseAfter(Duration rest) {
        return release(leases.restMillis(this, rest));
    }

    private boolean release(long restMillis) {
        if (!isOpen()) {
            // Also after the client was closed, which has released it and refuses further calls.
            leaveOwner();
            return false;
        }
        return leases.store.awaitRelease(caller -> release(caller, restMillis));
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        return leases.callbacks.forUser(release(leases.asynchronously));
    }

    @Override
    public CompletableFuture<Boolean> releaseAfterAsync(Duration rest) {
        return leases.callbacks.forUser(release(leases.asynchronously, leases.restMillis(this, rest)));
    }

    @Override
    public CompletionStage<LeaseLost> lost() {
        return lost.minimalCompletionStage();
    }

    @Override
    public Lease detach() {
        leases.disown(this);
        leaveOwner();
        return this;
    }

    @Override
    public String handOff() {
        if (isHeld() && state.compareAndSet(State.HELD, State.HANDED_OFF)) {
            letGo();
            tellEnd(Ended.End.HANDED_OFF);
            leases.promoteNext(this);
            return token();
        }
        throw lostException();
    }

    @Override
    public void close() {
        releaseQuietly();
        synchronized (guard) {
            if (lossThrown || loss().isEmpty()) {
                return;
            }
            lossThrown = true;
        }
        throw lostException();
    }

    /** Releases like {@link #close()}, for callers that report a loss in another way. */
    public void releaseQuietly() {
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
        // Not by token(): a look at a log must not end the local hand-overs.
        return "lease of " + subject() + " (" + state().name() + ", token " + storedToken() + ", fencing token "
                + fencingToken() + ")";
    }

    public Subject subject() {
        return grant.subject();
    }

    /** Returns what it began with. */
    public Grant grant() {
        return grant;
    }

    long heldNanos() {
        return Math.max(0, leases.clock.monotonicNanos() - beganNanos);
    }

    /** Returns whether these leases are of the client that acquired this one. */
    public boolean belongsTo(Leases client) {
        return leases == client;
    }

    private State state() {
        return Objects.requireNonNull(state.get());
    }

    boolean isOpen() {
        return state().equals(State.HELD);
    }

    /** Returns the thread that it belongs to, unless it was detached. */
    @Nullable
    Thread owner() {
        synchronized (guard) {
            return owner;
        }
    }

    boolean isRenewed() {
        return grant.options().renew();
    }

    LeaseTerm term() {
        return term;
    }

    RenewRequest renewRequest() {
        return new RenewRequest(subject().claim(), storedToken(), term.millis());
    }

    ReleaseRequest releaseRequest() {
        return ReleaseRequest.of(subject().claim(), storedToken(), hold().grantedFencingToken());
    }

    /** Takes the store's reply to a renewal that makes the lease last for so long. Returns whether the lease goes on. */
    boolean renewed(Validity fresh, HoldReply reply) {
        if (reply instanceof HoldReply.NotHeld not) {
            lose(loss(not));
            return false;
        }
        return term.prolong(fresh) || !loseIfOver();
    }

    /** Ends the lease as lost if its time is over. Returns whether it is. */
    public boolean loseIfOver() {
        if (!term.isOver()) {
            return false;
        }
        String lease = "its lease of " + term.millis() + " ms";
        if (isRenewed()) {
            lose(loss(Reason.UNREACHABLE, "it could not be renewed before " + lease + " ended"));
        } else {
            lose(loss(Reason.EXPIRED, "it was held for longer than " + lease));
        }
        return true;
    }

    /** Releases as {@link #release()} does, with its steps run by this caller. */
    public CompletableFuture<Boolean> release(Caller caller) {
        return release(caller, 0);
    }

    private CompletableFuture<Boolean> release(Caller caller, long restMillis) {
        loseIfOver();
        State ended = new State("released", null, new CompletableFuture<>());
        if (!state.compareAndSet(State.HELD, ended)) {
            leaveOwner();
            return CompletableFuture.completedFuture(false);
        }
        letGo();
        ended.released().whenComplete((outcome, failure) -> compensateLateRequest());
        leases.release(this, caller, restMillis);
        return ended.released();
    }

    /** Returns what {@link #release()} returns, when the release has its reply; done unless the lease was released. */
    CompletableFuture<Boolean> released() {
        return state().released();
    }

    private void compensateLateRequest() {
        ReleaseRequest late = lateRequest;
        if (late != null) {
            leases.releaseInBackground(this, late);
        }
    }

    /** Ends the lease without a release: another lease has taken over its lock on the server. */
    public void endUnreleased() {
        if (state.compareAndSet(State.HELD, State.HANDED_OFF)) {
            letGo();
            compensateLateRequest();
            if (leases.store.store().usesTokensOnce()) {
                leases.releaseInBackground(this, releaseRequest()); // On nodes that took no part in the take-over.
            }
        }
    }

    /**
     * Compensates for a request for this lease after its end: the reply was lost, and it may still be in flight. The token counts as read, so
     * that no later hold of this client uses it.
     */
    public void compensateAfterEnd(ReleaseRequest late) {
        hold().readToken();
        lateRequest = late;
    }

    /** Reports a loss that only the release has found. */
    void foundLost(HoldReply.NotHeld reply) {
        LeaseLost loss = loss(reply);
        state.set(new State("lost", loss, released()));
        report(loss);
    }

    /** Reports the grant to the listeners. */
    public void tellGrant(RequestEvents events) {
        events.granted(attempts(), grant.path(), fencingToken(), storedToken());
    }

    /** Reports the end to the listeners, unless they know. */
    void tellEnd(Ended.End end) {
        RequestEvents events = grant.events();
        if (events != null) {
            events.ended(beganNanos, end, loss(), fencingToken(), storedToken());
        }
    }

    private void letGo() {
        leaveOwner();
        leases.end(this);
    }

    private void lose(LeaseLost loss) {
        if (state.compareAndSet(State.HELD, State.unreleased("lost", loss))) {
            leases.end(this);
            report(loss);
            // Some of it may still be held. But a token that the user chose or adopted may be in use elsewhere.
            boolean something = loss.reason() == Reason.UNREACHABLE
                    || subject().claim().keys().size() > 1
                    || term.mayOutlast();
            if (something && grant.origin() == Origin.OURS) {
                leases.releaseInBackground(this, releaseRequest());
            }
            compensateLateRequest();
            leases.promoteNext(this);
        }
    }

    private LeaseLost loss(HoldReply.NotHeld reply) {
        return loss(reply.holder().isPresent() ? Reason.TAKEN : Reason.GONE, reply.detail());
    }

    private LeaseLost loss(Reason reason, String detail) {
        return new LeaseLost(key(), token(), fencingToken(), reason, subject() + " was lost: " + detail);
    }

    /**
     * Marks a lock that a request for several holds until it has all of them. No user holds it, so its loss is no news; and the store takes
     * its token when it grants all of them, which a renewal or release that is then in flight would find.
     */
    public HeldLease asPart() {
        part = true;
        return this;
    }

    private void report(LeaseLost report) {
        tellEnd(Ended.End.LOST);
        if (grant.options().interruptOnLoss()) {
            interruptOwner();
        }
        // Logged there too: this may be the timer's thread, which renews, and thousands may be lost at once.
        leases.callbacks.runLoss(() -> {
            LOG.log(part ? Level.DEBUG : Level.WARNING, "{0} was lost: {1}", subject(), report.reason());
            LOG.log(Level.DEBUG, report.detail());
            lost.complete(report);
        });
        grant.options().onLost().ifPresent(listener -> leases.callbacks.runLoss(() -> listener.accept(report)));
    }

    /** Returns how this lease was lost, if it was. */
    public Optional<LeaseLost> loss() {
        return Optional.ofNullable(state().loss());
    }

    /** Returns the exception for a caller that needs this lease, which is not held any more. */
    public LeaseLostException lostException() {
        loseIfOver();
        LeaseLost known = loss().orElseGet(() -> new LeaseLost(
                key(), token(), fencingToken(), Reason.GONE, subject() + " is not held: it was released"));
        return new LeaseLostException(known.detail(), known);
    }

    /** Returns whether its token may be released in the background: one that the user chose may be in use again by then. */
    boolean mayBeReleasedLater() {
        return grant.origin() != Origin.CALLERS;
    }

    CohortHold hold() {
        return grant.hold();
    }

    private void interruptOwner() {
        synchronized (guard) {
            Thread thread = owner;
            if (thread != null) {
                interrupted = true;
                thread.interrupt();
            }
        }
    }

    /** Detaches the owner for good: it is not interrupted from now on. Returns whether it was. */
    public boolean leaveOwner() {
        synchronized (guard) {
            owner = null;
            return interrupted;
        }
    }
}
