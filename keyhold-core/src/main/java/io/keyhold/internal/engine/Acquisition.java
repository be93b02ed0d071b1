package io.keyhold.internal.engine;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.internal.Failed;
import io.keyhold.internal.Texts;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lock, from the first attempt to its outcome: a lease, nothing (time or attempts are spent), or a
 * failure. Only one attempt is under way at a time. {@link #outcome} is the arbiter of every race: whoever completes it
 * first decides, and a lease that comes second is released.
 */
final class Acquisition {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    private final Engine engine;
    private final Ask ask;
    private final Caller caller;
    private final @Nullable Thread owner;
    private final Moment started;
    private final CompletableFuture<Optional<HeldLease>> outcome = new CompletableFuture<>();
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    /** Steps that are being taken: requests, their answers, and the release of a grant that nobody takes. */
    private final AtomicInteger underWay = new AtomicInteger();
    /** Whether some request of this token had no answer, and none since has said what became of it. */
    private final AtomicBoolean mayBeHeld = new AtomicBoolean();

    private volatile Scheduler.@Nullable Timer next;
    private String token;
    private int attempts;
    private boolean repeated;
    private AcquireReply.Busy lastAnswer = new AcquireReply.Busy(Optional.empty(), OptionalLong.empty());

    /** {@code owner} is the thread that the lease will belong to, if it will belong to one. */
    Acquisition(Engine engine, Ask ask, Caller caller, @Nullable Thread owner) {
        this.engine = engine;
        this.ask = ask;
        this.caller = caller;
        this.owner = owner;
        this.started = Moment.now(engine.clock());
        this.token = nextToken();
    }

    CompletableFuture<Optional<HeldLease>> outcome() {
        return outcome;
    }

    /** Makes the first attempt; with a blocking caller, it has been made when this returns. */
    void start() {
        attempt();
    }

    /** Done when there is an outcome and no request is under way. */
    CompletableFuture<Void> settled() {
        return settled;
    }

    /** Gives up, unless the outcome is there. A lock that is granted all the same is released. */
    void withdraw() {
        outcome.cancel(false);
        settle();
    }

    void fail(RuntimeException failure) {
        outcome.completeExceptionally(failure);
        settle();
    }

    /** What to tell a user who wanted a lease and got none in time. */
    AcquireTimeoutException timeout() {
        String waited = Texts.duration(Duration.ofMillis(
                Duration.ofNanos(started.nanosSince(engine.clock())).toMillis()));
        String holder = lastAnswer
                .holder()
                .map(value -> "held by " + Texts.cut(value, 200))
                .orElse("not granted in time");
        String end = lastAnswer.remainingMillis().isPresent()
                ? ", whose lease ends in "
                        + Texts.duration(
                                Duration.ofMillis(lastAnswer.remainingMillis().getAsLong()))
                        + " unless it is renewed"
                : "";
        String times = attempts == 1 ? "1 attempt" : attempts + " attempts";
        return new AcquireTimeoutException(
                "lock " + ask.key() + " was not acquired within " + waited + " and " + times + ": " + holder + end,
                attempts);
    }

    private void attempt() {
        // Before the look at the outcome: whoever decides it meanwhile sees that something is under way.
        underWay.incrementAndGet();
        if (!outcome.isDone()) {
            attempts++;
            repeated = false;
            send();
        }
        stepEnds();
    }

    private void send() {
        underWay.incrementAndGet();
        Moment sent = Moment.now(engine.clock());
        engine.store()
                .acquire(ask.request(token, AcquireRequest.IfFree.TAKE), caller.mode())
                .whenComplete((reply, failure) -> caller.execute(() -> answered(sent, reply, failure)));
    }

    private void answered(Moment sent, @Nullable AcquireReply reply, @Nullable Throwable failure) {
        if (reply instanceof AcquireReply.Granted granted) {
            granted(sent, granted.fencingToken());
        } else if (reply instanceof AcquireReply.Busy busy) {
            lastAnswer = busy;
            again();
        } else {
            failed(Failed.unwrapped(Objects.requireNonNull(failure)));
        }
        stepEnds();
    }

    private void stepEnds() {
        underWay.decrementAndGet();
        settle();
    }

    /** Called after every step that may have been the last. */
    private void settle() {
        if (outcome.isDone() && underWay.get() == 0) {
            if (mayBeHeld.getAndSet(false) && ask.options().token().isEmpty()) {
                engine.undo().release(ask.key(), token, new Validity(Moment.now(engine.clock()), ask.leaseMillis()));
            }
            Scheduler.Timer pending = next;
            if (pending != null) {
                pending.cancel();
            }
            engine.settled(this);
            settled.complete(null);
        }
    }

    private void granted(Moment sent, long fencingToken) {
        mayBeHeld.set(false);
        Validity validity = new Validity(sent, ask.leaseMillis());
        if (validity.remainingNanos(engine.clock()) <= 0) {
            LOG.log(Level.INFO, "the grant of lock {0} arrived after its lease had ended; asking again", ask.key());
            if (ask.options().token().isEmpty()) {
                engine.undo().release(ask.key(), token, validity);
                token = nextToken();
            }
            again();
            return;
        }
        HeldLease lease =
                new HeldLease(engine, new Grant(ask, token, fencingToken, attempts, validity, owner, origin()));
        engine.hold(lease);
        LOG.log(Level.DEBUG, () -> "lock " + ask.key() + " was granted at attempt " + attempts);
        if (!outcome.complete(Optional.of(lease))) {
            // Withdrawn meanwhile. The request is settled when the lock is free again.
            underWay.incrementAndGet();
            lease.release(caller).whenComplete((released, failure) -> stepEnds());
        }
    }

    private void again() {
        long left = ask.plan().maxWaitNanos() - started.nanosSince(engine.clock());
        if (attempts >= ask.plan().maxAttempts() || left <= 0) {
            outcome.complete(Optional.empty());
        } else if (!outcome.isDone()) {
            long pause = engine.polling().pauseNanos(ask.plan(), attempts, lastAnswer);
            LOG.log(Level.DEBUG, () -> "lock " + ask.key() + " is held by another; asking again soon");
            next = caller.later(Math.min(pause, left), this::attempt);
        }
    }

    private void failed(Throwable failure) {
        if (StoreFailure.isOutcomeUnknown(failure)) {
            mayBeHeld.set(true);
        }
        boolean timeLeft = started.nanosSince(engine.clock()) < ask.plan().maxWaitNanos() || attempts == 1;
        if (StoreFailure.isCut(failure) && !repeated && timeLeft && !outcome.isDone()) {
            // A connection that was idle may have been closed long ago. The token makes asking again harmless.
            LOG.log(Level.INFO, "the connection broke while asking for lock {0}; asking once more", ask.key());
            repeated = true;
            send();
            return;
        }
        outcome.completeExceptionally(failure);
    }

    @Override
    public String toString() {
        return "lock " + ask.key();
    }

    private Grant.Origin origin() {
        return ask.options().token().isEmpty() ? Grant.Origin.OURS : Grant.Origin.CALLERS;
    }

    private String nextToken() {
        return ask.options().token().orElseGet(engine.tokens()::next);
    }
}
