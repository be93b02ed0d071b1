package io.keyhold.internal.engine.acquire;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.KeyholdClock;
import io.keyhold.KeyholdListener.Granted;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LocalWaiter.State;
import io.keyhold.internal.engine.event.RequestEvents;
import io.keyhold.internal.engine.lease.CohortHold;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.engine.lease.LocalSuccessor;
import io.keyhold.internal.engine.lease.Validity;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.Caller;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.internal.time.ConcurrencyLimit;
import io.keyhold.internal.time.RestartableTimer;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lock: a state machine with the states and transitions of {@link RequestState}. Events are replies, grant
 * messages, timers, promotions in the local queue and withdrawals.
 *
 * <p>{@link #outcome} decides every race: the first completion wins, and a lease that comes second is released. It may be completed
 * by other threads at any time, so a state in which nothing is in flight is left as soon as a step sees that
 * ({@link #finish}), and {@link RequestState#IN_FLIGHT} when the reply is here.
 *
 * <p>A request in the local queue that becomes the head promotes its successor exactly once: by itself if it ends without the
 * lock ({@link #leaveLocalQueue}), else by its lease. The flag {@link #head} says that it is this request's duty.
 */
final class Acquisition extends LeaseRequest implements LocalSuccessor, GrantRouter.Waiter, QueueHead {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    /** How soon a request that is past its deadline checks again whether it was promoted. */
    private static final long PROMOTION_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final QueueSlot slot;
    private final RestartableTimer timer;
    private final AtomicInteger attempts = new AtomicInteger();
    /** Whether this request has to promote its successor in the local queue. Set by the promoting thread, before the step. */
    private final AtomicBoolean head = new AtomicBoolean();
    /** Whether the promotion follows when a release that is in flight has its reply. */
    private volatile boolean behindRelease;

    private volatile RequestState state = RequestState.LOCAL_QUEUE;
    /** How it has waited so far, for the listeners. */
    private Granted.Path path = Granted.Path.FREE;

    private volatile @Nullable Asking asking;
    private String token;
    private volatile AcquireReply.Busy lastReply = AcquireReply.Busy.UNKNOWN;
    private volatile ClockReading lastReplyTo;
    /** Whether its own timer makes it check the queue. If not, the router does, should it become the first for its lock. */
    private boolean checksQueue;
    /** Whether a reply said that this request has an entry in the server's queue. */
    private boolean mayBeQueued;
    /** Whether a command had no reply: it may have been executed, or may still be. */
    private boolean mayBeHeld;

    /** The command of a request in state {@link RequestState#IN_FLIGHT}, and what happens while it is in flight. */
    private static final class Asking {

        private final KeyholdClock clock;
        /** Whether it is not sent once more if it fails: it was sent on another connection just before, or its caller does not wait for that. */
        private boolean last;

        private volatile ClockReading sent;
        private volatile @Nullable CompletionStage<AcquireReply> command;
        /** Whether a message may have been missed since the command was sent, so that its reply may be out of date. */
        private boolean outOfDate;
        /** A grant that arrived before the reply to the command. */
        private Optional<DatedGrant> early = Optional.empty();

        /** Starts with the current time: for a store that does not report the sending, the lease counts too early, never too late. */
        Asking(KeyholdClock clock, boolean last) {
            this.clock = clock;
            this.last = last;
            this.sent = ClockReading.now(clock);
        }

        /**
         * Notes the last moment before the server could execute the command, from which the lease counts. A command may wait for long in
         * the client's own queues (thousands of asynchronous calls, a pool without a free connection). If that time counted, a
         * request that waits for longer than its lease would be granted, released and repeated for ever.
         */
        void sending() {
            sent = ClockReading.now(clock);
        }

        /** Keeps a grant until the reply is here. If the command was not sent, its turn might come after the end of the grant: it is withdrawn. */
        void keep(DatedGrant grant) {
            early = Optional.of(grant);
            withdraw();
        }

        /** Returns whether the command waits inside this client, with nothing sent. Called by other requests, too. */
        boolean isUnsent() {
            return command instanceof ConcurrencyLimit.Pending<?> pending && pending.isQueued();
        }

        /** Keeps the command from being sent, if it was not. The reply, or a failure in its place, still arrives. */
        void withdraw() {
            if (command instanceof ConcurrencyLimit.Pending<?> pending) {
                pending.withdraw();
            }
        }

        boolean isWithdrawn() {
            return command instanceof ConcurrencyLimit.Pending<?> pending && pending.isWithdrawn();
        }
    }

    /** {@code owner} is the thread that the lease will belong to, if any. */
    Acquisition(
            Services services,
            AcquireSpec spec,
            Caller caller,
            @Nullable Thread owner,
            @Nullable RequestEvents events) {
        super(services, spec, caller, owner, events);
        this.slot = new QueueSlot(services.grants(), this);
        this.timer = new RestartableTimer(caller, () -> steps.run(this::wake));
        this.token = nextToken();
        this.lastReplyTo = deadline.started();
    }

    /** Continues for a request that has asked this often before, has waited like this, and knows this of the store. */
    Acquisition following(int asked, Granted.Path waited, StoreContact known) {
        attempts.set(asked);
        path = waited;
        contact.inherit(known);
        return this;
    }

    // ---- What others see of it.

    @Override
    public AcquireSpec spec() {
        return spec;
    }

    @Override
    public LockOptions options() {
        return spec.options();
    }

    @Override
    State waitingFor() {
        return switch (state) {
            case LOCAL_QUEUE -> State.LOCAL_QUEUE;
            case QUEUED -> State.QUEUED;
            case POLLING -> State.POLLING;
            case OUTAGE -> State.OUTAGE;
            case IN_FLIGHT, SUBSCRIBING, WITHDRAWING, DONE -> State.IN_FLIGHT;
        };
    }

    @Override
    int attempts() {
        return attempts.get();
    }

    @Override
    public boolean isInOutage() {
        return contact.failure().isPresent();
    }

    @Override
    public AcquireTimeoutException timeout() {
        AcquireReply.Busy known = lastReply.holder().isPresent()
                ? lastReply
                : services.localQueues().head(key()).map(QueueHead::holder).orElse(lastReply);
        return AcquireFailures.timeout(spec, deadline.waited(), Math.max(1, attempts.get()), known);
    }

    @Override
    public AcquireReply.Busy holder() {
        return outcome.isDone() && !outcome.isCompletedExceptionally()
                ? outcome.join()
                        .map(lease -> new QueueHead.Held(lease).holder())
                        .orElse(lastReply)
                : lastReply;
    }

    private String key() {
        return spec.subject().claim().key();
    }

    // ---- Events. Each is a step.

    @Override
    void start() {
        if (!spec.usesLocalQueue()) {
            step(this::ask);
        } else if (services.localQueues().enter(key(), this)) {
            head.set(true);
            step(this::ask);
        } else {
            step(() -> {
                if (state == RequestState.LOCAL_QUEUE) { // Else it was promoted meanwhile.
                    timer.restart(deadline.leftNanos());
                }
            });
        }
    }

    @Override
    public void awaitRelease() {
        behindRelease = true;
    }

    @Override
    public void take(CohortHold hold, Validity validity) {
        HeldLease lease = begin(hold, validity, true, Granted.Path.LOCAL);
        if (outcome.complete(Optional.of(lease))) {
            services.localQueues().become(key(), this, new QueueHead.Held(lease));
            step(() -> {
                contact.replied();
                decided();
            });
        } else {
            lease.release(services.asynchronously());
        }
    }

    @Override
    public void promote(@Nullable Throwable failedRelease) {
        // The client held the lock, so the store was reached.
        promoted(contact::replied, () -> {
            Throwable failure = failedRelease == null ? null : Stages.unwrapped(failedRelease);
            if (failure != null && StoreFailure.isPassing(failure)) {
                contact.failed(failure);
                endure(failure);
            } else {
                askInTime();
            }
        });
    }

    /** Promotes it after a request that ended without the lock, with what that request knows: requests must not fail one by one. */
    private void promoteAfter(StoreContact known) {
        promoted(() -> contact.inherit(known), () -> known.failure().ifPresentOrElse(this::endure, this::askInTime));
    }

    /** Learns what its predecessor knows even if this request has ended: the next one learns it from this. */
    private void promoted(Runnable learn, Runnable asHead) {
        head.set(true);
        step(() -> {
            learn.run();
            if (outcome.isDone()) {
                finish();
            } else {
                asHead.run();
            }
        });
    }

    @Override
    public void grantArrives(DatedGrant grant) {
        step(() -> {
            Asking current = inFlight();
            if (outcome.isDone() || !slot.isFor(grant.notice())) {
                return; // The withdrawal, or the reply that is known, has dealt with it.
            }
            if (current != null) {
                current.keep(grant);
            } else {
                granted(grant);
            }
        });
    }

    @Override
    public void askAgain() {
        step(() -> {
            Asking current = inFlight();
            if (current != null) {
                current.outOfDate = true;
            } else if (isPausing() && slot.isTaken()) {
                ask();
            }
        });
    }

    @Override
    public long checkNanos() {
        return services.polling().checkNanos(spec, attempts.get(), lastReply, lastReplyTo.nanosSince(services.clock()));
    }

    @Override
    public void check() {
        step(() -> {
            if (state == RequestState.QUEUED && !checksQueue) {
                wake();
            }
        });
    }

    /** Gives up if nothing was sent, and else when the command in flight ends, with a reply or without. */
    void withdrawUnsent() {
        step(() -> {
            Asking current = inFlight();
            if (current != null) {
                current.withdraw();
                current.last = true;
            }
        });
    }

    /** The timer's event: it is time to ask again, or to give up. */
    private void wake() {
        Asking current = inFlight();
        if (outcome.isDone()) {
            decided();
        } else if (!deadline.isOver()) {
            if (isPausing()) {
                ask();
            } else {
                timer.restart(deadline.leftNanos());
            }
        } else if (current != null) {
            current.withdraw(); // If it was sent, the reply is awaited: one command more than the deadline.
        } else if (state == RequestState.LOCAL_QUEUE) {
            giveUpInLocalQueue();
        } else {
            giveUp();
        }
    }

    @Override
    void decided() {
        Asking current = inFlight();
        if (current != null) {
            current.withdraw(); // The reply ends the state.
        } else if (state != RequestState.WITHDRAWING) {
            finish();
        }
    }

    // ---- Steps that lead to a state.

    private void become(RequestState next) {
        assert state.successors().contains(next) : state + " -> " + next;
        state = next;
    }

    /** Returns the command that is in flight, if one is. */
    private @Nullable Asking inFlight() {
        return state == RequestState.IN_FLIGHT ? asking : null;
    }

    /** Returns whether it waits for a timer or a message, with nothing in flight. */
    private boolean isPausing() {
        return state == RequestState.QUEUED || state == RequestState.POLLING || state == RequestState.OUTAGE;
    }

    private void ask() {
        if (outcome.isDone()) {
            finish();
            return;
        }
        if (attempts.incrementAndGet() > 1 && path == Granted.Path.FREE) {
            path = Granted.Path.POLL;
        }
        send(false);
    }

    private void askInTime() {
        if (!deadline.isOver()) {
            ask();
        } else {
            giveUp();
        }
    }

    private void send(boolean repeated) {
        become(RequestState.IN_FLIGHT);
        AcquireRequest.IfBusy ifBusy = spec.queues() ? slot.ifBusy(token) : AcquireRequest.IfBusy.GO_AWAY;
        Asking current = new Asking(services.clock(), repeated);
        asking = current;
        var command = services.store().acquire(spec.request(token, ifBusy), caller, current::sending);
        current.command = command;
        command.whenComplete((reply, failure) -> step(() -> onReply(current, reply, failure)));
        if (current.isUnsent() && !deadline.isOver()) {
            timer.restart(deadline.leftNanos()); // It includes the time that the command waits inside this client.
        }
    }

    /**
     * Abandons an entry whose grants cannot arrive any more, because the key has moved to another server. The entry may have
     * moved with it, and may be granted the lock, so both are released, and the request goes on with another token.
     */
    private void abandon() {
        releaseInBackground(leaveServer());
        token = nextToken();
    }

    private void onReply(Asking current, @Nullable AcquireReply reply, @Nullable Throwable failure) {
        if (reply == null) {
            failed(current, Stages.unwrapped(Objects.requireNonNull(failure)));
            return;
        }
        contact.replied();
        contact.tried();
        ClockReading sent = current.sent;
        if (reply instanceof AcquireReply.Granted granted) {
            granted(granted.fencingToken(), new Validity(sent, spec.leaseMillis()));
        } else if (reply instanceof AcquireReply.OtherLimit other) {
            outcome.completeExceptionally(AcquireFailures.otherLimit(spec.subject(), other.limit()));
            finish();
        } else if (reply instanceof AcquireReply.Busy busy) {
            mayBeQueued = slot.isTaken();
            path = mayBeQueued ? Granted.Path.QUEUE : path;
            lastReply = busy;
            lastReplyTo = sent;
            if (services.store().store().usesTokensOnce()) {
                token = nextToken();
            }
            slot.learn(sent, busy);
            if (current.early.isPresent() && !outcome.isDone()) {
                granted(current.early.get());
            } else {
                await(busy, current.outOfDate);
            }
        }
    }

    /** Waits for a lock that is held, in the way that is possible now. */
    private void await(AcquireReply.Busy busy, boolean outOfDate) {
        if (outcome.isDone()) {
            finish();
        } else if (attempts.get() >= spec.plan().maxAttempts() || deadline.isOver()) {
            outcome.complete(Optional.empty());
            finish();
        } else if (outOfDate && slot.isElsewhere()) {
            ask(); // The old entry may have been granted the lock.
        } else if (!slot.isReachable()) {
            if (slot.isElsewhere()) {
                abandon();
            }
            if (spec.queues() && services.grants().at(key()).mayOpen()) {
                subscribe(busy);
            } else {
                poll(busy);
            }
        } else if (outOfDate) {
            ask();
        } else {
            become(RequestState.QUEUED);
            checksQueue = services.grants().isFirst(this);
            wakeIn(checksQueue ? services.polling().checkNanos(spec, attempts.get(), busy, 0) : Long.MAX_VALUE);
        }
    }

    private void subscribe(AcquireReply.Busy busy) {
        become(RequestState.SUBSCRIBING);
        timer.restart(deadline.leftNanos());
        services.grants()
                .at(key())
                .open()
                .whenComplete((open, impossible) -> step(() -> {
                    if (state != RequestState.SUBSCRIBING) {
                        return; // Given up meanwhile.
                    }
                    if (open) {
                        ask();
                    } else {
                        poll(busy);
                    }
                }));
    }

    private void poll(AcquireReply.Busy busy) {
        become(RequestState.POLLING);
        wakeIn(services.polling().pauseNanos(spec.plan(), attempts.get(), busy));
    }

    private void wakeIn(long nanos) {
        timer.restart(Math.min(nanos, deadline.leftNanos()));
    }

    private void failed(Asking current, Throwable failure) {
        if (current.isWithdrawn()) { // Nothing was sent.
            if (outcome.isDone()) {
                finish();
            } else if (current.early.isPresent()) {
                granted(current.early.get());
            } else {
                giveUp();
            }
            return;
        }
        mayBeHeld |= StoreFailure.isOutcomeUnknown(failure);
        services.grants().distrustAfter(key(), failure);
        boolean timeLeft = deadline.leftNanos() > 0 || attempts.get() == 1;
        if (StoreFailure.isWorthRepeating(failure) && !current.last && timeLeft && !outcome.isDone()) {
            // The connection may have been closed long ago, or lead to a replica by now. The token makes this harmless.
            Level level = isInOutage() ? Level.DEBUG : Level.INFO;
            LOG.log(level, "asking once more for {0}: {1}", spec.subject(), failure.getMessage());
            send(true);
            return;
        }
        contact.failed(failure);
        endure(failure);
    }

    /** Waits an outage out, if it may (see {@link StoreContact}). */
    private void endure(Throwable failure) {
        contact.tried();
        OptionalLong pause = services.polling().outagePauseNanos(contact, deadline);
        if (pause.isEmpty() || attempts.get() >= spec.plan().maxAttempts()) {
            outcome.completeExceptionally(failure);
        }
        if (outcome.isDone()) {
            finish();
            return;
        }
        if (services.store().store().usesTokensOnce()) {
            // The store itself releases what it may have granted to the last token, and the queue entry ends with it.
            token = nextToken();
            slot.leave();
            mayBeQueued = false;
        }
        become(RequestState.OUTAGE);
        timer.restart(pause.orElseThrow());
    }

    // ---- The ends of a request.

    private void granted(DatedGrant grant) {
        Optional<Validity> validity = grant.validity().apply(spec.leaseMillis());
        OptionalLong known = lastReply.atMicros();
        // The lock was held by another after the grant: the grant was lost again before it arrived.
        boolean outdated =
                known.isPresent() && known.getAsLong() > grant.notice().atMicros();
        path = Granted.Path.QUEUE;
        if (validity.isPresent() && !outdated) {
            granted(grant.notice().fencingToken(), validity.get());
        } else {
            askInTime(); // The reply tells whether the lock is still held, and for how long.
        }
    }

    private void granted(long fencingToken, Validity validity) {
        contact.replied(); // Requests behind this one must not fail for an outage that is over.
        boolean mayArriveLater = mayBeHeld && spec.isTokenOurs();
        ReleaseRequest everything = leaveServer();
        if (validity.remainingNanos(services.clock()) <= 0) {
            grantedTooLate(everything);
            return;
        }
        CohortHold hold = new CohortHold(token, fencingToken, 0, ClockReading.now(services.clock()));
        HeldLease lease = begin(hold, validity, head.getAndSet(false), path);
        if (mayArriveLater) {
            lease.compensateAfterEnd(everything);
        }
        LOG.log(Level.DEBUG, () -> spec.subject() + " was granted at attempt " + attempts);
        if (outcome.complete(Optional.of(lease))) {
            services.localQueues().become(key(), this, new QueueHead.Held(lease));
            end();
        } else {
            become(RequestState.WITHDRAWING);
            lease.release(caller).whenComplete((released, failure) -> step(this::end));
        }
    }

    private HeldLease begin(CohortHold hold, Validity validity, boolean headOfLocalQueue, Granted.Path grantPath) {
        return services.leases()
                .begin(new HeldLease.Grant(
                        spec.subject(),
                        spec.options(),
                        hold,
                        Math.max(1, attempts.get()),
                        validity,
                        owner,
                        spec.isTokenOurs() ? HeldLease.Origin.OURS : HeldLease.Origin.CALLERS,
                        headOfLocalQueue,
                        grantPath,
                        events));
    }

    private void grantedTooLate(ReleaseRequest everything) {
        LOG.log(Level.INFO, "the grant of {0} arrived after its lease had ended; asking again", spec.subject());
        if (spec.isTokenOurs()) {
            releaseInBackground(everything); // The request may have asked since, and be in the queue again.
            token = nextToken();
        }
        await(AcquireReply.Busy.UNKNOWN, false);
    }

    /** Gives up at the deadline. */
    private void giveUp() {
        endOverdue(this);
        finish();
    }

    /** Gives up behind other requests of this client: the head, which asks the store, knows what to report. */
    private void giveUpInLocalQueue() {
        Optional<QueueHead> first = services.localQueues().head(key()).filter(other -> other != this);
        if (first.isEmpty() && behindRelease) {
            // The client itself holds the lock until the release has its reply, so the store was reached.
            contact.replied();
            outcome.complete(Optional.empty());
        } else if (first.isEmpty() || !first.get().endOverdue(this)) {
            timer.restart(PROMOTION_CHECK_NANOS); // The head has ended: a promotion with what it knows follows.
        }
        if (outcome.isDone()) {
            finish();
        }
    }

    /**
     * Ends a request whose deadline is over, this one or one behind it, with what this one knows of the lock. If a command in flight
     * will tell more, the other one wakes after it. Returns false if this request is over without a reply.
     */
    @Override
    public boolean endOverdue(Acquisition overdue) {
        Optional<Throwable> failure = contact.failure();
        Asking current = asking;
        if (failure.isPresent()) {
            overdue.outcome.completeExceptionally(failure.get());
        } else if (contact.isReached()) {
            overdue.outcome.complete(Optional.empty());
        } else if (overdue != this && contact.firstTry().isDone()) {
            return false;
        } else if (overdue == this || (current != null && (current.isUnsent() || current.isWithdrawn()))) {
            overdue.outcome.completeExceptionally(AcquireFailures.notSent(overdue.spec));
        } else {
            contact.firstTry().thenRun(() -> overdue.step(overdue::wake)); // One command more than the deadline.
        }
        return true;
    }

    /** Leaves a state with nothing in flight after the outcome was decided, and releases what may be left on the server. */
    private void finish() {
        if (state == RequestState.DONE) {
            leaveLocalQueue(); // It was promoted after its end.
            return;
        }
        boolean queued = mayBeQueued && spec.isTokenOurs();
        boolean unknown = mayBeHeld && spec.isTokenOurs();
        boolean away = isInOutage(); // Then the user does not wait for one more command.
        ReleaseRequest everything = leaveServer();
        if (unknown || (queued && away)) {
            releaseInBackground(everything);
        }
        if (queued && !away) {
            // One command removes the entry from the queue, and releases the lock if it was granted meanwhile.
            become(RequestState.WITHDRAWING);
            services.store()
                    .release(everything, caller)
                    .whenComplete((reply, failure) -> step(() -> {
                        if (failure != null) {
                            releaseInBackground(everything);
                        }
                        end();
                    }));
        } else {
            end();
        }
    }

    private void end() {
        become(RequestState.DONE);
        timer.cancel();
        contact.tried();
        leaveLocalQueue();
        settle();
    }

    /** Leaves the local queue. If this request is its head, the next one is promoted, with what this one knows of an outage. */
    private void leaveLocalQueue() {
        if (!spec.usesLocalQueue()) {
            return;
        }
        services.localQueues().leave(key(), this);
        if (!head.getAndSet(false)) {
            return;
        }
        services.localQueues().next(key()).ifPresent(next -> {
            if (outcome.isCancelled()) {
                next.promoteAfter(contact);
            } else {
                // The next may end at once for the same reason, and so may thousands: the stack must not grow by that.
                services.asynchronously().later(0, () -> next.promoteAfter(contact));
            }
        });
    }

    /** Forgets what the server may have of this request. Returns the release of all of it. */
    private ReleaseRequest leaveServer() {
        mayBeQueued = false;
        mayBeHeld = false;
        return new ReleaseRequest(spec.subject().claim(), token, slot.leave());
    }

    private void releaseInBackground(ReleaseRequest everything) {
        services.background()
                .release(
                        spec.subject(),
                        everything,
                        new Validity(ClockReading.now(services.clock()), spec.leaseMillis()));
    }

    private String nextToken() {
        return spec.options().token().orElseGet(services.tokens()::next);
    }
}
