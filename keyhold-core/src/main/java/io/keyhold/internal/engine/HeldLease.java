package io.keyhold.internal.engine;

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
import io.keyhold.internal.time.ClockReading;
import io.keyhold.internal.time.Scheduler;
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
 * A lease and its life: held, and from there once and for all to released, handed off or lost. Every way out is one
 * compare-and-set on {@link #state}; what follows from it is done by the thread that won.
 */
final class HeldLease implements Lease {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Engine engine;
    private final Grant grant;
    private final Owner owner;
    private final AtomicReference<LeaseState> state = new AtomicReference<>(LeaseState.HELD);
    private volatile Validity validity;
    private final CompletableFuture<LeaseLost> lost = new CompletableFuture<>();
    private volatile long leaseMillis;
    private final TokenUse tokenUse = new TokenUse();
    /** A request for it that may reach the store after it is over, and has to be taken back then. */
    private volatile @Nullable ReleaseRequest straggler;
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
        return subject().name();
    }

    @Override
    public String token() {
        return tokenUse.read() ? grant.turn().tokenForUser() : grant.turn().tokenOfThePast();
    }

    /** The holder, as the store knows it. */
    String storedToken() {
        return grant.turn().token();
    }

    @Override
    public long fencingToken() {
        return grant.turn().fencingToken();
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
        return engine.awaitRepeatable(caller -> engine.store()
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
        ClockReading sent = ClockReading.now(engine.clock());
        RenewRequest request = new RenewRequest(subject().claim(), storedToken(), millis);
        HoldReply reply = engine.awaitRepeatable(caller -> engine.store()
                .renew(List.of(request), caller.mode())
                .thenApply(replies -> StoreFailure.known(replies.get(0))));
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
        if (isHeld() && state.compareAndSet(LeaseState.HELD, LeaseState.HANDED_OFF)) {
            letGo();
            callNext();
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
            LOG.log(Level.INFO, "{0} could not be released at once; it ends with its lease at the latest", subject());
            LOG.log(Level.DEBUG, "the failed release", e);
        }
    }

    @Override
    public String toString() {
        return "lease of " + subject() + " (" + state().name + ", fencing token " + fencingToken() + ")";
    }

    Subject subject() {
        return grant.ask().subject();
    }

    private LeaseState state() {
        return Objects.requireNonNull(state.get());
    }

    boolean isOpen() {
        return state() == LeaseState.HELD;
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
    boolean renewed(ClockReading sent, long millis, HoldReply reply) {
        if (reply instanceof HoldReply.NotHeld not) {
            lose(reasonOf(not), detailOf(not));
            return false;
        }
        return prolong(new Validity(sent, millis)) || !loseIfOver();
    }

    /** Unless it is over, whatever the store says: somebody may have seen that. */
    private synchronized boolean prolong(Validity fresh) {
        Validity longer = fresh.later(validity, engine.clock());
        boolean goesOn = remainingNanos() > 0;
        validity = goesOn ? longer : validity;
        return goesOn;
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
        if (!state.compareAndSet(LeaseState.HELD, LeaseState.RELEASED)) {
            owner.leave();
            return CompletableFuture.completedFuture(false);
        }
        letGo();
        CompletableFuture<Boolean> released =
                grant.gated() ? LocalPass.orRelease(engine, this, caller) : new Release(engine, this, caller).start();
        released.whenComplete((outcome, failure) -> takeBackStraggler());
        return released;
    }

    private void takeBackStraggler() {
        ReleaseRequest late = straggler;
        if (late != null) {
            undo(late);
        }
    }

    private void undo(ReleaseRequest request) {
        engine.undo().release(subject(), request, new Validity(ClockReading.now(engine.clock()), leaseMillis));
    }

    /** Lets go of the lease without a release: something else holds the lock in its place. */
    void letGoUnreleased() {
        if (state.compareAndSet(LeaseState.HELD, LeaseState.HANDED_OFF)) {
            letGo();
            takeBackStraggler();
            if (engine.store().usesTokensOnce()) {
                undo(ReleaseRequest.of(subject().claim(), storedToken())); // At nodes that took no part in that.
            }
        }
    }

    /** A request for this lease had no answer, and may be on its way yet. So its turn must end with it. */
    void takeBackLater(ReleaseRequest late) {
        tokenUse.read();
        straggler = late;
    }

    /** Whoever of this client waits behind this lease has to ask the store, because the lock is not the client's any more. */
    private void callNext() {
        if (grant.gated()) {
            engine.nextAtGate(subject().claim().key()).ifPresent(next -> next.lead(null));
        }
    }

    /** After a release that found the lock in other hands: it had been lost before, and nobody had noticed. */
    void foundLost(HoldReply.NotHeld reply) {
        LeaseLost loss = loss(reasonOf(reply), detailOf(reply));
        state.set(LeaseState.lost(loss));
        report(loss);
    }

    /** The end of what this client does for the lease, for whatever reason. */
    private void letGo() {
        owner.leave();
        engine.forget(this);
    }

    private void lose(LeaseLost.Reason reason, String detail) {
        LeaseLost loss = loss(reason, detail);
        if (state.compareAndSet(LeaseState.HELD, LeaseState.lost(loss))) {
            engine.forget(this);
            report(loss);
            // Some of it may be held yet. But a token that somebody chose or adopted may be in use elsewhere.
            boolean something = reason == LeaseLost.Reason.UNREACHABLE
                    || subject().claim().keys().size() > 1;
            if (something && grant.origin() == Grant.Origin.OURS) {
                undo(ReleaseRequest.of(subject().claim(), storedToken()));
            }
            takeBackStraggler();
            callNext();
        }
    }

    private LeaseLost loss(LeaseLost.Reason reason, String detail) {
        return new LeaseLost(key(), token(), fencingToken(), reason, subject() + " was lost: " + detail);
    }

    private void report(LeaseLost report) {
        if (grant.ask().options().interruptOnLoss()) {
            owner.interrupt();
        }
        // The log too: this may be the timer's thread, on which renewals depend, and thousands may be lost at a time.
        engine.callbacks().runLoss(() -> {
            LOG.log(Level.WARNING, "{0} was lost: {1}", subject(), report.reason());
            LOG.log(Level.DEBUG, report.detail());
            lost.complete(report);
        });
        grant.ask().options().onLost().ifPresent(listener -> engine.callbacks().runLoss(() -> listener.accept(report)));
    }

    /** What happened to this lease, if it was lost. */
    Optional<LeaseLost> loss() {
        return Optional.ofNullable(state().loss);
    }

    /** For whoever needs a lease that is not held any more. */
    LeaseLostException lostException() {
        LeaseLost known = loss().orElseGet(() -> new LeaseLost(
                key(), token(), fencingToken(), LeaseLost.Reason.GONE, subject() + " is not held: it was released"));
        return new LeaseLostException(known.detail(), known);
    }

    /** Whether its token may be released in the background: one that the caller chose may be in use again by then. */
    boolean mayBeReleasedLater() {
        return grant.origin() != Grant.Origin.CALLERS;
    }

    /** Lets its turn go on with another hold, unless somebody knows the token. Answers whether it does. */
    boolean passToken() {
        return tokenUse.pass();
    }

    Turn turn() {
        return grant.turn();
    }

    /** This lease as somebody else's obstacle. */
    AcquireReply.Busy asHolder() {
        return new AcquireReply.Busy(
                Optional.of(storedToken()),
                validity.endless()
                        ? OptionalLong.empty()
                        : OptionalLong.of(
                                Duration.ofNanos(Math.max(0, remainingNanos())).toMillis()),
                OptionalLong.empty(),
                AcquireReply.HolderKind.KEYHOLD);
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
                .map(holder -> "in its place stands " + Formats.cut(holder, 200))
                .orElse("it is gone: it expired or was taken away, or the server lost its memory");
    }
}
