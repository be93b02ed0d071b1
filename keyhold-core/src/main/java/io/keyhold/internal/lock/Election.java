package io.keyhold.internal.lock;

import io.keyhold.ElectionOptions;
import io.keyhold.KeyholdClosedException;
import io.keyhold.LeaderElection;
import io.keyhold.Lease;
import io.keyhold.internal.Formats;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.engine.Engine;
import io.keyhold.internal.engine.acquire.AcquireSpec;
import io.keyhold.internal.time.BlockingCaller;
import io.keyhold.internal.time.CallbackQueue;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A candidate: an ordinary request for the lock of its role, again and again, and the lease that comes of it. It has no thread of its own.
 *
 * <p>{@link #leadership} decides every race. It is set when the lock is granted, unless the election was closed before, and the
 * first of loss, resignation and close that clears it tells the listeners of the end. A notice of an election that has ended before
 * it was told is dropped, and so is its revocation: {@link #told} is what the listeners know, and only notices touch it.
 */
public final class Election implements LeaderElection {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 5;
    /** Longer than a candidate pauses that polls, so that those have their chance when another has resigned. */
    private static final Duration AFTER_RESIGNING = Duration.ofMillis(200);

    private final Engine engine;
    private final LockKey role;
    private final AcquireSpec candidate;
    private final ElectionOptions options;
    private final Consumer<Election> whenClosed;
    private final CallbackQueue notices;
    private final List<LongConsumer> electedListeners = new ArrayList<>();
    private final List<Runnable> revokedListeners = new ArrayList<>();
    private @Nullable Lease told;

    private volatile @Nullable Lease leadership;
    /** The request that waits, or the last one. */
    private CompletableFuture<Lease> candidacy = new CompletableFuture<>();
    /** The end of the last leadership that was given up. */
    private StepDown lastEnd = StepDown.ended();

    private int failures;
    private boolean closed;

    /**
     * The end of a leadership that is given up.
     *
     * @param told done when the revoked listeners have returned or their time is over, and the release has begun: a client that closes waits for that
     * @param released done when the release has its reply, or its failure
     */
    private record StepDown(CompletableFuture<Void> told, CompletableFuture<Void> released) {

        static StepDown begun() {
            return new StepDown(new CompletableFuture<>(), new CompletableFuture<>());
        }

        static StepDown ended() {
            return new StepDown(CompletableFuture.completedFuture(null), CompletableFuture.completedFuture(null));
        }
    }

    /**
     * Creates a candidate that does not stand yet.
     *
     * @param candidate how it waits for the lock of the role, and holds it
     * @param whenClosed told when this is closed
     */
    public Election(
            Engine engine,
            LockKey role,
            AcquireSpec candidate,
            ElectionOptions options,
            Consumer<Election> whenClosed) {
        this.engine = engine;
        this.role = role;
        this.candidate = candidate;
        this.options = options;
        this.whenClosed = whenClosed;
        this.notices = new CallbackQueue(
                notice -> {
                    engine.tellFirst(notice);
                    return true;
                },
                () -> {});
    }

    @Override
    public String role() {
        return role.name();
    }

    @Override
    public boolean isLeader() {
        Lease lease = leadership;
        return lease != null && lease.isHeld();
    }

    @Override
    public OptionalLong fencingToken() {
        Lease lease = leadership;
        return lease != null && lease.isHeld() ? OptionalLong.of(lease.fencingToken()) : OptionalLong.empty();
    }

    @Override
    public LeaderElection onElected(LongConsumer listener) {
        Preconditions.given(listener, "listener");
        notice(() -> {
            electedListeners.add(listener);
            Lease known = told;
            if (known != null) {
                tell(() -> listener.accept(known.fencingToken()));
            }
        });
        return this;
    }

    @Override
    public LeaderElection onRevoked(Runnable listener) {
        Preconditions.given(listener, "listener");
        notice(() -> revokedListeners.add(listener));
        return this;
    }

    /** Stands for election: at first, and whenever a leadership has ended. */
    public void stand() {
        CompletableFuture<Lease> request;
        synchronized (this) {
            if (closed) {
                return;
            }
            request = engine.acquireByClient(candidate);
            candidacy = request;
        }
        request.whenComplete((lease, failure) -> {
            if (lease != null) {
                elected(lease);
            } else {
                failed(Stages.unwrapped(Objects.requireNonNull(failure)));
            }
        });
    }

    private void elected(Lease lease) {
        synchronized (this) {
            if (!closed) {
                leadership = lease;
                failures = 0;
            }
        }
        if (leadership == lease) {
            LOG.log(Level.INFO, "this client leads {0}", this);
            notice(() -> tellElected(lease));
            lease.lost().thenRun(() -> lost(lease));
        } else {
            engine.releaseAsync(lease); // It was closed while the grant was in flight, or right after it.
        }
    }

    private void failed(Throwable failure) {
        if (failure instanceof KeyholdClosedException) {
            end();
        }
        if (failure instanceof CancellationException || failure instanceof KeyholdClosedException) {
            return;
        }
        int before;
        synchronized (this) {
            before = failures++;
        }
        Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(before, MOST_DOUBLINGS));
        LOG.log(
                before == 0 ? Level.WARNING : Level.DEBUG,
                "{0}: this candidate could not wait, and stands again after {1} and growing pauses: {2}",
                this,
                Formats.duration(delay),
                failure.getMessage());
        engine.later(delay, this::stand);
    }

    private void lost(Lease lease) {
        if (ended(lease)) {
            notice(() -> tellRevoked(lease)).thenRun(this::stand);
        }
    }

    /** Ends the leadership of this lease here. Returns false if it had ended before. */
    private synchronized boolean ended(Lease lease) {
        boolean ends = leadership == lease;
        leadership = ends ? null : leadership;
        return ends;
    }

    @Override
    public boolean resign() {
        Lease lease;
        StepDown end = StepDown.begun();
        synchronized (this) {
            lease = leadership;
            if (lease == null) {
                return false;
            }
            leadership = null;
            lastEnd = end;
        }
        boolean led = lease.isHeld();
        stepDown(lease, end);
        await(end.released());
        return led;
    }

    @Override
    public void close() {
        await(end());
    }

    /** Closes this without a thread that waits. Returns what is done when the lock is released. */
    public CompletableFuture<Void> end() {
        Lease lease;
        CompletableFuture<Lease> request;
        StepDown end;
        synchronized (this) {
            closed = true;
            request = candidacy;
            lease = leadership;
            if (lease != null) {
                leadership = null;
                lastEnd = StepDown.begun();
            }
            end = lastEnd;
        }
        request.cancel(false);
        if (lease != null) {
            stepDown(lease, end);
        }
        whenClosed.accept(this);
        return end.released();
    }

    /** Waits until the revoked listeners have returned or their time is over, and not for the release of the lock. */
    public void awaitListeners() {
        StepDown end;
        synchronized (this) {
            end = lastEnd;
        }
        await(end.told());
    }

    /** Tells the listeners, and releases the lock when they have returned or their time is over. The lease is renewed until then. */
    private void stepDown(Lease lease, StepDown end) {
        CompletableFuture<Void> returned = notice(() -> tellRevoked(lease));
        CompletableFuture<Boolean> inTime = new CompletableFuture<>();
        returned.thenRun(() -> inTime.complete(true));
        if (!inTime.isDone()) {
            Scheduler.Timer timer = engine.later(options.revokedTimeout(), () -> inTime.complete(false));
            inTime.thenRun(timer::cancel);
        }
        inTime.thenCompose(all -> {
                    if (!all) {
                        LOG.log(
                                Level.WARNING,
                                "{0}: a revoked listener has not returned within {1}; another candidate may lead from now on",
                                this,
                                Formats.duration(options.revokedTimeout()));
                    }
                    try {
                        return engine.releaseAsync(lease);
                    } finally {
                        end.told().complete(null);
                    }
                })
                // A release that failed is repeated in the background.
                .handle((released, failure) -> end.released().complete(null));
        CompletableFuture.allOf(returned, end.released()).thenRun(() -> engine.later(AFTER_RESIGNING, this::stand));
    }

    private void await(CompletableFuture<?> done) {
        if (!notices.isRunningHere()) {
            new BlockingCaller().awaitUninterruptibly(done);
        }
    }

    /** Adds a notice for the listeners. Returns what is done when it has returned. */
    private CompletableFuture<Void> notice(Runnable notice) {
        CompletableFuture<Void> returned = new CompletableFuture<>();
        Runnable whole = () -> {
            try {
                notice.run();
            } finally {
                returned.complete(null);
            }
        };
        notices.add(whole, Integer.MAX_VALUE);
        notices.start();
        return returned;
    }

    private void tellElected(Lease lease) {
        if (leadership == lease && lease.isHeld()) {
            told = lease;
            electedListeners.forEach(listener -> tell(() -> listener.accept(lease.fencingToken())));
        }
    }

    private void tellRevoked(Lease lease) {
        if (told == lease) {
            told = null;
            revokedListeners.forEach(this::tell);
        }
    }

    private void tell(Runnable listener) {
        try {
            listener.run();
        } catch (Throwable e) { // Code in Kotlin and other languages also throws what it does not declare.
            LOG.log(Level.WARNING, "a listener of " + this + " threw", e);
        }
    }

    @Override
    public String toString() {
        return "election " + role;
    }
}
