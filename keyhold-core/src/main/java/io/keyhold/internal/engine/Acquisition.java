package io.keyhold.internal.engine;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.internal.Failed;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.QueuePlace;
import io.keyhold.internal.store.ReleaseRequest;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lock, from the first attempt to its outcome: a lease, nothing (time or attempts are spent), or a
 * failure. {@link #outcome} is the arbiter of every race: whoever completes it first decides, and a lease that comes
 * second is released. Everything else is done in steps, one at a time, so that a reply, a grant, a timer and a withdrawal
 * never meet.
 *
 * <p>The road of a request that waits: at the {@link Gates gate}, behind others of this client · at the store, which is asked ·
 * in the store's queue, with a place in the {@link WaitingRoom} · granted. From each of these it can turn off:
 * {@link #settle} then leaves the gate, and the queue.
 */
final class Acquisition implements LeaseRequest {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Engine engine;
    private final Ask ask;
    private final Caller caller;
    private final @Nullable Thread owner;
    private final Patience patience;
    private final CompletableFuture<Optional<HeldLease>> outcome = new CompletableFuture<>();
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private final StepQueue steps = new StepQueue();
    /** Commands that are under way. */
    private int underWay;

    /** The command that is in flight or waits for its turn to be sent. */
    private CompletionStage<?> pending = CompletableFuture.completedStage(null);

    private final Remains remains = new Remains();
    private final boolean queues;
    private final Outage outage;
    /** Done when the store has answered for the first time, or has failed to. */
    private final CompletableFuture<Void> contact = new CompletableFuture<>();

    private boolean repeated;
    /** Whether something may have been missed since the request that is under way was sent. */
    private boolean outOfDate;

    private String token;
    private final GateStanding gate;
    private final Standing standing;
    private final Alarm alarm;
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile AcquireReply.Busy lastAnswer = AcquireReply.Busy.UNKNOWN;
    private Moment lastAnswered;

    /** {@code owner} is the thread that the lease will belong to, if it will belong to one. */
    Acquisition(Engine engine, Ask ask, Caller caller, @Nullable Thread owner) {
        this.engine = engine;
        this.ask = ask;
        this.caller = caller;
        this.owner = owner;
        this.patience = new Patience(ask.plan(), engine.clock());
        this.lastAnswered = Moment.now(engine.clock());
        this.queues = ask.queues();
        this.outage = new Outage(ask, engine.clock());
        this.token = nextToken();
        this.gate = new GateStanding(engine, this, ask.isGated());
        this.standing = new Standing(engine.waitingRoom(), this);
        this.alarm = new Alarm(caller, () -> steps.run(this::wake));
    }

    /** Goes on with the count of somebody who has asked so often already. */
    Acquisition countingFrom(int before) {
        attempts.set(before);
        return this;
    }

    /** Goes on for a request that has reached the store already. */
    Acquisition knowing(Outage known) {
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

    long leaseMillis() {
        return ask.leaseMillis();
    }

    Ask ask() {
        return ask;
    }

    @Override
    public void start() {
        if (gate.enter()) {
            step(this::attempt);
        } else {
            step(() -> {
                if (!gate.isAhead()) { // Else it was called meanwhile, and knows better when to wake.
                    wakeIn(patience.leftNanos());
                }
                settle();
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
    void lead() {
        gate.called();
        step(() -> {
            outage.ends(); // The client held the lock, so the store was reached.
            attempt();
        });
    }

    /**
     * The gate calls: the request before this one has ended without the lock, and it is this request's turn to ask the store.
     * What that one knew of an outage is known to this one, so that requests do not fail one after the other.
     */
    void leadAfter(Outage known) {
        gate.called();
        step(() -> {
            outage.inherit(known);
            known.failure().ifPresentOrElse(this::endure, this::attempt);
            settle();
        });
    }

    /** The gate calls: another of this client is done with the lock, which is still the client's. */
    void take(Turn turn, Validity validity) {
        HeldLease lease = new HeldLease(
                engine,
                new Grant(ask, turn, patience.attempts(attempts.get()), validity, owner, ask.origin(), ask.isGated()));
        engine.hold(lease);
        if (outcome.complete(Optional.of(lease))) {
            step(this::settle);
        } else {
            lease.release(engine.asynchronously());
        }
    }

    /** This request looks after the queue from now on. */
    void becameFirst() {
        step(() -> {
            if (standing.isInQueue()
                    && underWay == 0
                    && !outcome.isDone()
                    && storeFailure().isEmpty()) {
                long ago = lastAnswered.nanosSince(engine.clock());
                long look = engine.polling().lookNanos(ask, attempts.get(), lastAnswer, ago);
                wakeIn(Math.min(look, patience.leftNanos()));
            }
        });
    }

    /** What this request knows may be out of date. */
    void askAgain() {
        step(() -> {
            if (underWay > 0) {
                outOfDate = true;
            } else if (standing.hasPlace()) {
                attempt();
            }
        });
    }

    /** Returns the failure of the store that this request waits out, or has failed of. */
    Optional<Throwable> storeFailure() {
        return outage.failure();
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
        CompletionStage<AcquireReply> reply = engine.acquire(request, caller, sending);
        pending = reply;
        await(reply, (answer, failure) -> answered(sending.moment(), answer, failure));
    }

    /** Goes on when the command is done; until then this request is not settled. */
    private <T> void await(CompletionStage<T> command, BiConsumer<@Nullable T, @Nullable Throwable> then) {
        underWay++;
        command.whenComplete((value, failure) -> step(() -> {
            underWay--;
            then.accept(value, failure);
            settle();
        }));
    }

    private void answered(Moment sent, @Nullable AcquireReply reply, @Nullable Throwable failure) {
        if (reply != null) {
            outage.ends();
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
            failed(Failed.unwrapped(Objects.requireNonNull(failure)));
        }
        if (reply != null || storeFailure().isPresent()) {
            contact.complete(null);
        }
    }

    private void stay(AcquireReply.Busy busy) {
        if (outcome.isDone()) {
            return;
        }
        if (attempts.get() >= ask.plan().maxAttempts() || patience.isSpent()) {
            outcome.complete(Optional.empty());
        } else if (!standing.isInQueue()) {
            if (queues && engine.waitingRoom().mayOpen()) {
                openInbox(busy);
            } else {
                poll(busy);
            }
        } else if (outOfDate) {
            attempt();
        } else if (standing.isFirst()) {
            wakeIn(Math.min(engine.polling().lookNanos(ask.plan(), attempts.get(), busy), patience.leftNanos()));
        } else {
            wakeIn(patience.leftNanos());
        }
    }

    private void poll(AcquireReply.Busy busy) {
        wakeIn(Math.min(engine.polling().pauseNanos(ask.plan(), attempts.get(), busy), patience.leftNanos()));
    }

    private void openInbox(AcquireReply.Busy busy) {
        await(engine.waitingRoom().open(), (open, failure) -> {
            if (Boolean.TRUE.equals(open)) {
                attempt();
            } else {
                poll(busy);
            }
        });
    }

    /** The time has come to look again, or to give up. */
    private void wake() {
        if (!outcome.isDone()) {
            boolean spent = patience.isSpent();
            if (spent && underWay > 0 && pending instanceof Pace.Pending<?> waiting) {
                waiting.withdraw(); // If it was sent, its reply is waited for: one command more than the deadline.
            } else if (underWay == 0 && spent) {
                giveUp();
            } else if (underWay == 0 && gate.isPassed()) {
                attempt();
            } else if (underWay == 0) {
                wakeIn(patience.leftNanos());
            }
        }
        settle();
    }

    /** The time is up. If the store was not to be reached, that is the outcome, and not that the lock is taken. */
    private void giveUp() {
        Optional<Acquisition> head = gate.isPassed()
                ? Optional.empty()
                : engine.gates().ahead(storedKey()).filter(request -> request != this);
        if (head.isPresent() && !head.get().contact.isDone()) {
            head.get().contact.thenRun(() -> step(this::wake));
            return;
        }
        Optional<Throwable> failure = head.map(Acquisition::storeFailure).orElseGet(this::storeFailure);
        failure.ifPresentOrElse(outcome::completeExceptionally, () -> outcome.complete(Optional.empty()));
    }

    private void granted(GrantNotice notice) {
        if (outcome.isDone() || !standing.isFor(notice)) {
            return;
        }
        if (underWay > 0) {
            standing.keep(notice);
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
        Turn turn = new Turn(token, fencingToken, Moment.now(engine.clock()));
        boolean gated = gate.leaveToLease();
        HeldLease lease = new HeldLease(
                engine, new Grant(ask, turn, patience.attempts(attempts.get()), validity, owner, ask.origin(), gated));
        if (mayStraggle) {
            lease.takeBackLater(new ReleaseRequest(claim(), token, place));
        }
        engine.hold(lease);
        LOG.log(Level.DEBUG, () -> ask.subject() + " was granted at attempt " + attempts);
        if (!outcome.complete(Optional.of(lease))) {
            // Withdrawn meanwhile. The request is settled when the lock is free again.
            await(lease.release(caller), (released, failure) -> {});
        }
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
        if (failure instanceof CancellationException) {
            giveUp(); // It was never sent.
            return;
        }
        if (StoreFailure.isOutcomeUnknown(failure)) {
            remains.isUnknown();
        }
        boolean notServing = StoreFailure.isNotServing(failure);
        if (notServing) {
            engine.waitingRoom().distrust();
        }
        boolean timeRemains = patience.leftNanos() > 0 || attempts.get() == 1;
        if ((Failed.isCut(failure) || notServing) && !repeated && timeRemains && !outcome.isDone()) {
            // A connection that was idle may have been closed long ago, or lead to a server that is a replica by now.
            // The token makes asking again harmless.
            LOG.log(Level.INFO, "asking once more for {0}: {1}", ask.subject(), failure.getMessage());
            repeated = true;
            send();
            return;
        }
        outage.goesOn(failure);
        endure(failure);
    }

    /** Waits an outage out, if it may; see {@link Outage}. */
    private void endure(Throwable failure) {
        long left = Math.min(patience.isSpent() ? 0 : patience.leftNanos(), outage.leftNanos());
        if (left <= 0 || attempts.get() >= ask.plan().maxAttempts() || !StoreFailure.isPassing(failure)) {
            outcome.completeExceptionally(failure);
            return;
        }
        if (engine.store().usesTokensOnce()) {
            token = nextToken(); // What the store may have done for the last one, it undoes by itself.
        }
        LOG.log(Level.DEBUG, () -> ask.subject() + " waits for its store to return: " + failure.getMessage());
        wakeIn(Math.min(engine.polling().pauseNanos(outage), left));
    }

    private void wakeIn(long nanos) {
        if (!outcome.isDone()) {
            alarm.ringIn(nanos);
        }
    }

    /** Ends every step. When there is an outcome and nothing is under way, tidies up. */
    private void settle() {
        if (!outcome.isDone() || underWay > 0) {
            if (outcome.isDone() && pending instanceof Pace.Pending<?> waiting) {
                waiting.withdraw();
            }
            return;
        }
        Optional<QueuePlace> abandoned = standing.leave();
        Remains.All left = remains.take();
        if (ask.origin() == Grant.Origin.OURS) {
            ReleaseRequest everything = new ReleaseRequest(claim(), token, abandoned);
            if (left.unknown()) {
                undo(everything);
            }
            if (left.place()) {
                giveBack(everything);
                return;
            }
        }
        alarm.cancel();
        contact.complete(null);
        gate.leave(outage);
        engine.settled(this);
        settled.complete(null);
    }

    /** In one step out of the queue, or of the lock if it was granted meanwhile: then whoever comes next has it. */
    private void giveBack(ReleaseRequest everything) {
        await(engine.release(everything, caller), (reply, failure) -> {
            if (failure != null) {
                undo(everything);
            }
        });
    }

    private void undo(ReleaseRequest everything) {
        engine.undo().release(ask.subject(), everything, new Validity(Moment.now(engine.clock()), ask.leaseMillis()));
    }

    @Override
    public String toString() {
        return ask.subject().text();
    }

    private String nextToken() {
        return ask.options().token().orElseGet(engine.tokens()::next);
    }
}
