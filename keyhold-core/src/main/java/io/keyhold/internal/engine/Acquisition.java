package io.keyhold.internal.engine;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.internal.time.SerialExecutor;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lock, from the first attempt to its outcome: a lease, nothing (time or attempts are spent), or a
 * failure. {@link #outcome} is the arbiter of every race: whoever completes it first decides, and a lease that comes
 * second is released. Everything else is done in steps, one at a time: a reply, a grant and a timer never meet.
 *
 * <p>The road of a request that waits: at the {@link Gates gate}, behind others of this client · at the store, which is asked ·
 * in the store's queue, with a place in the {@link WaitingRoom} · granted. From each of these it can turn off:
 * {@link #settle} then leaves the gate, and the queue.
 */
final class Acquisition implements LeaseRequest {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    /** How soon one past its deadline looks again whether it was told how the one before it ended. */
    private static final long CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Engine engine;
    private final Ask ask;
    private final Caller caller;
    private final @Nullable Thread owner;
    private final Patience patience;
    private final CompletableFuture<Optional<HeldLease>> outcome = new CompletableFuture<>();
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private final SerialExecutor steps = new SerialExecutor();
    private final InFlight inFlight = new InFlight(this::stepAndSettle);
    private final Remains remains = new Remains();
    private final boolean queues;
    private final Outage outage;
    private final Contact contact;

    private boolean repeated;
    /** Whether something may have been missed since the request that is under way was sent. */
    private boolean outOfDate;

    private String token;
    private final GateStanding gate;
    private final Standing standing;
    private final Alarm alarm;
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile AcquireReply.Busy lastAnswer = AcquireReply.Busy.UNKNOWN;
    private ClockReading lastAnswered;

    /** {@code owner} is the thread that the lease will belong to, if it will belong to one. */
    Acquisition(Engine engine, Ask ask, Caller caller, @Nullable Thread owner) {
        this.engine = engine;
        this.ask = ask;
        this.caller = caller;
        this.owner = owner;
        this.patience = new Patience(ask.plan(), engine.clock());
        this.lastAnswered = ClockReading.now(engine.clock());
        this.queues = ask.queues();
        this.outage = new Outage(ask, engine.clock());
        this.contact = new Contact(inFlight, outage);
        this.token = nextToken();
        this.gate = new GateStanding(engine, this, ask.isGated());
        this.standing = new Standing(engine.waitingRoom(), this);
        this.alarm = new Alarm(caller, () -> steps.run(this::wake));
    }

    /** Goes on for a request that has asked this often before, and knows this of the store. */
    Acquisition following(int asked, Outage known) {
        attempts.set(asked);
        outage.inherit(known);
        return this;
    }

    @Override
    public CompletableFuture<Optional<HeldLease>> outcome() {
        return outcome;
    }

    @Override
    public CompletableFuture<Void> settled() {
        return settled;
    }

    String storedKey() {
        return claim().key();
    }

    private Claim claim() {
        return ask.subject().claim();
    }

    Ask ask() {
        return ask;
    }

    @Override
    public void start() {
        if (gate.enter()) {
            step(this::attempt);
        } else {
            stepAndSettle(() -> {
                if (!gate.isAhead()) { // Else it was called meanwhile, and knows better when to wake.
                    wakeIn(patience.leftNanos());
                }
            });
        }
    }

    @Override
    public void withdraw() {
        outcome.cancel(false);
        step(this::settle);
    }

    @Override
    public void fail(RuntimeException failure) {
        outcome.completeExceptionally(failure);
        step(this::settle);
    }

    /** The gate calls: the lock is not the client's any more, and it is this request's turn to ask the store. */
    void lead(@Nullable Throwable failedRelease) {
        gate.called();
        stepAndSettle(() -> {
            outage.ends(); // The client held the lock, so the store was reached.
            Throwable failure = failedRelease == null ? null : Stages.unwrapped(failedRelease);
            if (failure != null && StoreFailure.isPassing(failure)) {
                outage.goesOn(failure);
                endure(failure);
            } else {
                attemptInTime();
            }
        });
    }

    /**
     * The gate calls: the request before this one has ended without the lock, and it is this request's turn to ask the store.
     * What that one knew of an outage is known to this one, so that requests do not fail one after the other.
     */
    void leadAfter(Outage known) {
        gate.called();
        stepAndSettle(() -> {
            outage.inherit(known);
            known.failure().ifPresentOrElse(this::endure, this::attemptInTime);
        });
    }

    /** An attempt of one that has waited for its turn, perhaps for too long. */
    private void attemptInTime() {
        if (!patience.isSpent()) {
            attempt();
        } else if (outage.isReached()) {
            outcome.complete(Optional.empty());
        } else {
            outcome.completeExceptionally(TimeoutMessage.notSent(ask));
        }
    }

    /** The gate will call when the release of the one before is answered. */
    void awaitRelease() {
        gate.behindRelease();
    }

    /** The gate calls: another of this client is done with the lock, which is still the client's. */
    void take(Turn turn, Validity validity) {
        HeldLease lease = lease(turn, validity, ask.isGated());
        engine.hold(lease);
        if (outcome.complete(Optional.of(lease))) {
            stepAndSettle(outage::ends);
        } else {
            lease.release(engine.asynchronously());
        }
    }

    /** This request looks after the queue from now on. */
    void becameFirst() {
        step(() -> {
            if (standing.isInQueue()
                    && inFlight.isEmpty()
                    && !outcome.isDone()
                    && outage.failure().isEmpty()) {
                long ago = lastAnswered.nanosSince(engine.clock());
                wakeInTime(engine.polling().lookNanos(ask, attempts.get(), lastAnswer, ago));
            }
        });
    }

    /** What this request knows may be out of date. */
    void askAgain() {
        step(() -> {
            if (!inFlight.isEmpty()) {
                outOfDate = true;
            } else if (standing.hasPlace()) {
                attempt();
            }
        });
    }

    /** Returns what this request knows of an outage of its store. */
    Outage outage() {
        return outage;
    }

    void grantArrives(GrantNotice notice) {
        step(() -> granted(notice));
    }

    @Override
    public AcquireTimeoutException timeout() {
        AcquireReply.Busy known = lastAnswer.holder().isPresent()
                ? lastAnswer
                : engine.gates().ahead(storedKey()).map(Acquisition::holder).orElse(lastAnswer);
        return TimeoutMessage.of(ask, patience.waitedNanos(), patience.attempts(attempts.get()), known);
    }

    /** Who holds the lock, as far as this request knows. */
    private AcquireReply.Busy holder() {
        return outcome.isDone() && !outcome.isCompletedExceptionally()
                ? outcome.join().map(HeldLease::asHolder).orElse(lastAnswer)
                : lastAnswer;
    }

    private void step(Runnable step) {
        caller.execute(() -> steps.run(step));
    }

    private void stepAndSettle(Runnable step) {
        step(() -> {
            step.run();
            settle();
        });
    }

    private void attempt() {
        if (!outcome.isDone()) {
            attempts.incrementAndGet();
            repeated = false;
            outOfDate = false;
            send();
        }
        settle();
    }

    private void send() {
        AcquireRequest request = ask.request(token, queues ? standing.ifBusy(token) : AcquireRequest.IfBusy.GO_AWAY);
        Sending sending = new Sending(engine.clock());
        inFlight.awaitAsked(
                engine.acquire(request, caller, sending),
                (answer, failure) -> answered(sending.moment(), answer, failure));
        long left = patience.leftNanos();
        if (left > 0 && inFlight.isQueued()) {
            wakeIn(left); // The deadline holds for the time in the client's own queue too.
        }
    }

    private void answered(ClockReading sent, @Nullable AcquireReply reply, @Nullable Throwable failure) {
        if (reply != null) {
            outage.ends();
            contact.made();
        }
        if (reply instanceof AcquireReply.Granted granted) {
            granted(granted.fencingToken(), new Validity(sent, ask.leaseMillis()));
        } else if (reply instanceof AcquireReply.Busy busy) {
            remains.placeIs(standing.hasPlace());
            lastAnswer = busy;
            lastAnswered = sent;
            if (engine.store().usesTokensOnce()) {
                token = nextToken();
            }
            busy.atMicros().ifPresent(micros -> engine.storeTime().learn(sent, micros));
            standing.takeEarly(busy).ifPresentOrElse(this::granted, () -> stay(busy));
        } else if (reply instanceof AcquireReply.OtherLimit other) {
            outcome.completeExceptionally(LimitMessage.of(ask.subject(), other.limit()));
        } else {
            failed(Stages.unwrapped(Objects.requireNonNull(failure)));
        }
    }

    private void stay(AcquireReply.Busy busy) {
        if (outcome.isDone()) {
            return;
        }
        if (attempts.get() >= ask.plan().maxAttempts() || patience.isSpent()) {
            outcome.complete(Optional.empty());
        } else if (!standing.isInQueue() && queues && engine.waitingRoom().mayOpen()) {
            openInbox(busy);
        } else if (!standing.isInQueue()) {
            wakeInTime(engine.polling().pauseNanos(ask.plan(), attempts.get(), busy));
        } else if (outOfDate) {
            attempt();
        } else if (standing.isFirst()) {
            wakeInTime(engine.polling().lookNanos(ask.plan(), attempts.get(), busy));
        } else {
            wakeIn(patience.leftNanos());
        }
    }

    private void openInbox(AcquireReply.Busy busy) {
        inFlight.await(engine.waitingRoom().open(), (open, failure) -> {
            if (Boolean.TRUE.equals(open)) {
                attempt();
            } else {
                wakeInTime(engine.polling().pauseNanos(ask.plan(), attempts.get(), busy));
            }
        });
    }

    /** The time has come to look again, or to give up. */
    private void wake() {
        if (!outcome.isDone()) {
            boolean spent = patience.isSpent();
            if (spent && inFlight.isQueued()) {
                inFlight.withdraw();
            } else if (spent && inFlight.isEmpty()) { // Else the reply is waited for: one command more.
                giveUp();
            } else if (inFlight.isEmpty() && gate.isPassed()) {
                attempt();
            } else if (inFlight.isEmpty() || inFlight.isQueued()) {
                wakeIn(patience.leftNanos());
            }
        }
        settle();
    }

    /** The time is up: for one behind others in the local queue, the one that asks the store knows what to say. */
    private void giveUp() {
        Acquisition asks =
                gate.isPassed() ? this : engine.gates().ahead(storedKey()).orElse(this);
        boolean asked = asks != this || gate.isPassed();
        if (!asked && gate.isBehindRelease()) {
            outage.ends(); // The client itself holds the lock until the release is answered: the store was reached.
            outcome.complete(Optional.empty());
        } else if (!asked || !asks.contact.timeIsUp(ask, outcome, () -> step(this::wake))) {
            wakeIn(CALL_NANOS); // The one before has ended, and leadAfter() with its knowledge is on its way.
        }
    }

    private void granted(GrantNotice notice) {
        if (outcome.isDone() || !standing.isFor(notice)) {
            return;
        }
        if (!inFlight.isEmpty()) {
            standing.keep(notice);
            inFlight.withdraw(); // If it is not sent, its turn may come after the end of what was granted.
            return;
        }
        Optional<Validity> validity = engine.storeTime().validity(notice.atMicros(), ask.leaseMillis());
        if (validity.isPresent()) {
            granted(notice.fencingToken(), validity.get());
        } else {
            attempt(); // The answer tells how long.
        }
        settle();
    }

    private void granted(long fencingToken, Validity validity) {
        Optional<QueuePlace> place = standing.leave();
        boolean mayStraggle = remains.take().unknown() && ask.origin() == Grant.Origin.OURS;
        if (validity.remainingNanos(engine.clock()) <= 0) {
            late(place);
            return;
        }
        Turn turn = new Turn(token, fencingToken, ClockReading.now(engine.clock()));
        boolean gated = gate.leaveToLease();
        HeldLease lease = lease(turn, validity, gated);
        if (mayStraggle) {
            lease.takeBackLater(new ReleaseRequest(claim(), token, place));
        }
        engine.hold(lease);
        LOG.log(Level.DEBUG, () -> ask.subject() + " was granted at attempt " + attempts);
        if (!outcome.complete(Optional.of(lease))) {
            // Withdrawn meanwhile. The request is settled when the lock is free again.
            inFlight.await(lease.release(caller), (released, failure) -> {});
        }
    }

    private HeldLease lease(Turn turn, Validity validity, boolean gated) {
        int asked = patience.attempts(attempts.get());
        return new HeldLease(engine, new Grant(ask, turn, asked, validity, owner, ask.origin(), gated));
    }

    private void late(Optional<QueuePlace> place) {
        LOG.log(Level.INFO, "the grant of {0} arrived after its lease had ended; asking again", ask.subject());
        if (ask.origin() == Grant.Origin.OURS) {
            undo(new ReleaseRequest(claim(), token, place)); // It may have looked since, and stand in the queue again.
            token = nextToken();
        }
        stay(AcquireReply.Busy.UNKNOWN);
    }

    private void failed(Throwable failure) {
        if (inFlight.isWithdrawn()) {
            standing.takeEarly().ifPresentOrElse(this::granted, this::giveUp); // Nothing was sent.
            return;
        }
        if (StoreFailure.isOutcomeUnknown(failure)) {
            remains.isUnknown();
        }
        engine.waitingRoom().distrustAfter(failure);
        boolean timeRemains = patience.leftNanos() > 0 || attempts.get() == 1;
        if (StoreFailure.isWorthRepeating(failure) && !repeated && timeRemains && !outcome.isDone()) {
            // The connection may have been closed long ago, or lead to a replica by now. The token makes this harmless.
            Level level = outage.failure().isEmpty() ? Level.INFO : Level.DEBUG;
            LOG.log(level, "asking once more for {0}: {1}", ask.subject(), failure.getMessage());
            repeated = true;
            send();
            return;
        }
        outage.goesOn(failure);
        endure(failure);
    }

    /** Waits an outage out, if it may; see {@link Outage}. */
    private void endure(Throwable failure) {
        contact.made();
        OptionalLong pause = engine.polling().pauseNanos(outage, patience);
        if (pause.isEmpty() || attempts.get() >= ask.plan().maxAttempts()) {
            outcome.completeExceptionally(failure);
            return;
        }
        if (engine.store().usesTokensOnce()) {
            // What the store may have done for the last token it undoes by itself, and has given up the place.
            token = nextToken();
            standing.leave();
            remains.placeIs(false);
        }
        wakeIn(pause.getAsLong());
    }

    private void wakeInTime(long nanos) {
        wakeIn(Math.min(nanos, patience.leftNanos()));
    }

    private void wakeIn(long nanos) {
        if (!outcome.isDone()) {
            alarm.ringIn(nanos);
        }
    }

    /** Ends every step. When there is an outcome and nothing is under way, tidies up. */
    private void settle() {
        if (!outcome.isDone()) {
            return;
        }
        if (!inFlight.isEmpty()) {
            inFlight.withdraw();
            return;
        }
        Optional<QueuePlace> abandoned = standing.leave();
        Remains.All left = remains.take();
        if (ask.origin() == Grant.Origin.OURS) {
            ReleaseRequest everything = new ReleaseRequest(claim(), token, abandoned);
            boolean away = outage.failure().isPresent(); // Then the user does not wait for one more command.
            if (left.unknown() || (left.place() && away)) {
                undo(everything);
            }
            if (left.place() && !away) {
                // In one step out of the queue, or of the lock if it was granted meanwhile.
                inFlight.await(engine.release(everything, caller), (reply, failure) -> {
                    if (failure != null) {
                        undo(everything);
                    }
                });
                return;
            }
        }
        alarm.cancel();
        contact.made();
        gate.leave(outage);
        engine.settled(this);
        settled.complete(null);
    }

    private void undo(ReleaseRequest everything) {
        engine.undo()
                .release(ask.subject(), everything, new Validity(ClockReading.now(engine.clock()), ask.leaseMillis()));
    }

    @Override
    public String toString() {
        return ask.subject().text();
    }

    private String nextToken() {
        return ask.options().token().orElseGet(engine.tokens()::next);
    }
}
