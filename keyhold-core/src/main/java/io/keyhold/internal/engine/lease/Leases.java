package io.keyhold.internal.engine.lease;

import io.keyhold.AlreadyHeldException;
import io.keyhold.KeyholdClock;
import io.keyhold.KeyholdListener.Ended;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LocalHolder;
import io.keyhold.internal.Exceptions;
import io.keyhold.internal.Preconditions;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.BackgroundReleaser;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.Snapshots;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.AsynchronousCaller;
import io.keyhold.internal.time.Callbacks;
import io.keyhold.internal.time.Caller;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All leases that this client holds, and what they share: the renewer, the local hand-over, the thread that owns each. */
public final class Leases {

    private static final System.Logger LOG = System.getLogger("io.keyhold");

    /** A lease that is not renewed is handed over only while less than this part of it has passed. */
    private static final int PART_OF_FIXED = 10;

    /** A renewed lease is handed over until its renewal is due. */
    private static final int PART_OF_RENEWED = 3;

    final StoreAccess store;
    final KeyholdClock clock;
    final Callbacks callbacks;
    /** The caller for operations that no thread waits for. */
    final AsynchronousCaller asynchronously;

    private final BackgroundReleaser background;
    private final OwnGrants ownGrants;
    private final LeaseRenewer renewer;
    private final Function<String, ? extends Optional<? extends LocalSuccessor>> nextLocalWaiter;
    /** What is held, or being released. */
    private final Set<HeldLease> leases = ConcurrentHashMap.newKeySet();
    /** What each thread holds, so that a thread that would wait for itself is refused. */
    private final Map<ThreadHold, HeldLease> byThread = new ConcurrentHashMap<>();

    private record ThreadHold(Subject.Held what, Thread thread) {}

    /** {@code nextLocalWaiter} removes and returns the next waiter of the local queue of a key. */
    public Leases(
            StoreAccess store,
            KeyholdClock clock,
            Callbacks callbacks,
            AsynchronousCaller asynchronously,
            LeaseRenewer renewer,
            BackgroundReleaser background,
            OwnGrants ownGrants,
            Function<String, ? extends Optional<? extends LocalSuccessor>> nextLocalWaiter) {
        this.store = store;
        this.clock = clock;
        this.callbacks = callbacks;
        this.asynchronously = asynchronously;
        this.renewer = renewer;
        this.background = background;
        this.ownGrants = ownGrants;
        this.nextLocalWaiter = nextLocalWaiter;
    }

    /** Begins a lease, and looks after it. */
    public HeldLease begin(HeldLease.Grant grant) {
        HeldLease lease = new HeldLease(this, grant);
        leases.add(lease);
        renewer.watch(lease);
        return lease;
    }

    /** Returns what is held now. */
    public List<HeldLease> held() {
        return leases.stream().filter(HeldLease::isOpen).toList();
    }

    /** Releases everything that is held. Returns what is done after that, and after the releases that began before. */
    public List<CompletableFuture<?>> releaseAll() {
        List<CompletableFuture<?>> ends = new ArrayList<>();
        leases.forEach(lease -> {
            lease.release(asynchronously);
            ends.add(lease.released());
        });
        return ends;
    }

    /** Describes a lease to an operator. */
    public LocalHolder describe(HeldLease lease) {
        Thread owner = lease.owner();
        Claim claim = lease.subject().claim();
        return new LocalHolder(
                lease.storedToken(),
                lease.fencingToken(),
                Snapshots.mode(claim),
                Snapshots.permits(claim),
                lease.grant().options().name(),
                Instant.ofEpochMilli(clock.wallMillis()).minusNanos(lease.heldNanos()),
                lease.term().validity().endless()
                        ? Optional.empty()
                        : Optional.of(Duration.ofNanos(Math.max(0, lease.term().remainingNanos()))),
                lease.isRenewed(),
                Optional.ofNullable(owner).map(Thread::getName));
    }

    /** Makes the thread that acquired the lease its owner; called by that thread, so never for a lease that it does not get. */
    public HeldLease own(HeldLease lease) {
        Thread owner = lease.grant().owner();
        if (owner != null && lease.isOpen()) {
            lease.subject().heldAs().forEach(what -> byThread.put(new ThreadHold(what, owner), lease));
            if (!lease.isOpen()) {
                disown(lease); // It ended meanwhile, and end() may have run before.
            }
        }
        return lease;
    }

    /** Detaches the lease from its thread. */
    void disown(HeldLease lease) {
        Thread owner = lease.grant().owner();
        if (owner != null) {
            lease.subject().heldAs().forEach(what -> byThread.remove(new ThreadHold(what, owner), lease));
        }
    }

    /** Ends what this client does for a lease, except for its release. */
    void end(HeldLease lease) {
        lease.released().whenComplete((released, failure) -> leases.remove(lease));
        disown(lease);
        renewer.forget(lease);
    }

    /** Refuses a thread that would wait for itself. */
    public void refuseDeadlock(Subject subject) {
        deadlock(subject).ifPresent(reason -> {
            throw new AlreadyHeldException(reason);
        });
    }

    /** Returns the reason why the current thread would wait for itself, if it would. */
    public Optional<String> deadlock(Subject subject) {
        return subject.deadlock(what -> ofThisThread(what).isPresent())
                .map(reason -> "thread '" + Thread.currentThread().getName() + "' holds " + reason);
    }

    /** Returns the token by which the current thread holds that, if it does. */
    public Optional<String> tokenOfThisThread(Subject.Held what) {
        return ofThisThread(what).map(HeldLease::storedToken);
    }

    private Optional<HeldLease> ofThisThread(Subject.Held what) {
        return Optional.ofNullable(byThread.get(new ThreadHold(what, Thread.currentThread())))
                .filter(HeldLease::isHeld);
    }

    /**
     * Ends a hold. If other requests of this client wait behind it, the next of them takes the lock at once where that is allowed, and
     * the store is not asked. Otherwise the lock is released, and the next request asks the store after that. A lock that is to rest is
     * never handed over.
     *
     * <p>The technique is known as <em>lock cohorting</em> (Dice, Marathe and Shavit): a lock of two levels, whose global level is
     * passed among the threads of one node, here of one client, for a bounded number of times.
     */
    void release(HeldLease lease, Caller caller, long restMillis) {
        Optional<? extends LocalSuccessor> next = nextLocalWaiter(lease);
        Optional<CohortHold> nextHold = next.filter(waiter -> restMillis == 0 && mayHandOver(lease, waiter.options()))
                .flatMap(waiter -> lease.hold().handOver());
        if (next.isPresent() && nextHold.isPresent()) {
            LOG.log(Level.DEBUG, () -> lease.subject() + " was handed over inside the client");
            lease.tellEnd(Ended.End.RELEASED); // Before the next hold begins.
            next.get().take(nextHold.get(), lease.term().validity());
            lease.released().complete(true);
            return;
        }
        next.ifPresent(waiter -> {
            waiter.awaitRelease();
            lease.released().whenComplete((released, failure) -> waiter.promote(failure));
        });
        new Release(lease, caller, restMillis).start();
    }

    private Optional<? extends LocalSuccessor> nextLocalWaiter(HeldLease lease) {
        return lease.grant().headOfLocalQueue()
                ? nextLocalWaiter.apply(lease.subject().claim().key())
                : Optional.empty();
    }

    /** The next hold inherits the lease of the one before, so both must be of the same length, and enough of it must be left. */
    private boolean mayHandOver(HeldLease lease, LockOptions next) {
        long millis = lease.term().millis();
        int part = lease.isRenewed() ? PART_OF_RENEWED : PART_OF_FIXED;
        boolean hasLife = millis == AcquireRequest.NO_EXPIRY
                || lease.term().validity().ageNanos(clock) < TimeUnit.MILLISECONDS.toNanos(millis) / part;
        return hasLife
                && millis == HeldLease.leaseMillis(next)
                && lease.isRenewed() == next.renew()
                && !lease.term().mayOutlast() // The next hold would not know for how long.
                && lease.hold().mayHandOver(next, clock);
    }

    /** Refuses a renewal for longer than the store holds anything, before it is noted as sent. */
    void refuseTooLong(RenewRequest request) {
        store.store().refusal(List.of(request)).ifPresent(reason -> {
            throw new UnsupportedOperationException(reason);
        });
    }

    /** Refuses a bad value before the lease has ended. */
    long restMillis(HeldLease lease, Duration rest) {
        long millis = Preconditions.restMillis(rest);
        if (millis > 0) {
            store.store().refusal(lease.subject().claim(), millis).ifPresent(reason -> {
                throw new UnsupportedOperationException("cannot rest so long: " + reason);
            });
        }
        return millis;
    }

    /** Promotes the next local waiter of a hold that ended without a release: the lock is not the client's any more. */
    void promoteNext(HeldLease lease) {
        nextLocalWaiter(lease).ifPresent(next -> next.promote(null));
    }

    /** Releases in the background what may still be held. */
    void releaseInBackground(HeldLease lease, ReleaseRequest request) {
        background.release(lease.subject(), request, fromNow(lease), new BackgroundReleaser.Listener() {});
    }

    /** Returns how long the server may hold a lease if a request for it that has no reply is executed as late as now. */
    private Validity fromNow(HeldLease lease) {
        ClockReading now = ClockReading.now(clock);
        return new Validity(now, lease.term().millis()).later(lease.term().atServer(), now);
    }

    /** Releases one lease on the server, with a second attempt when the connection breaks under the first. */
    private final class Release implements BackgroundReleaser.Listener {

        private final HeldLease lease;
        private final Caller caller;
        private final CompletableFuture<Boolean> outcome;
        private final ReleaseRequest request;
        private boolean repeated;
        /** Whether an attempt may have been executed: its reply was lost in flight. */
        private boolean mayBeDone;

        Release(HeldLease lease, Caller caller, long restMillis) {
            this.lease = lease;
            this.caller = caller;
            this.outcome = lease.released();
            this.request = lease.releaseRequest().resting(restMillis);
        }

        void start() {
            ClockReading before = ClockReading.now(clock);
            store.release(request.replyingTo(replyTo()), caller)
                    .whenComplete((reply, failure) -> caller.execute(() -> onReply(before, reply, failure)));
        }

        /** A grant in the reply would be lost with it, if nothing repeated the release until there is a reply. */
        private Optional<String> replyTo() {
            return lease.mayBeReleasedLater()
                    ? ownGrants.address(request.claim().key())
                    : Optional.empty();
        }

        private void onReply(ClockReading before, @Nullable HoldReply reply, @Nullable Throwable failure) {
            if (reply instanceof HoldReply.Done done) {
                lease.tellEnd(Ended.End.RELEASED); // Before the next hold begins, where this reply tells of it.
                done.grants().forEach(notice -> ownGrants.granted(notice, before));
                LOG.log(Level.DEBUG, () -> lease.subject() + " was released");
                outcome.complete(true);
            } else if (reply instanceof HoldReply.NotHeld not) {
                notHeld(not);
            } else {
                failed(Stages.unwrapped(Objects.requireNonNull(failure)));
            }
        }

        private void notHeld(HoldReply.NotHeld reply) {
            if (mayBeDone) {
                // The first attempt may have released the lock, and its lost reply may have carried a grant.
                ownGrants.askAgain(request.claim().key());
            }
            if (mayBeDone && lease.term().remainingNanos() > 0) {
                // The connection was alive when the first attempt was sent (CallLane.RELEASE), so most likely it has
                // released the lock. Whether it has cannot be known: docs/guarantees.md says what is returned then.
                lease.tellEnd(Ended.End.RELEASED);
                outcome.complete(true);
                return;
            }
            lease.foundLost(reply);
            outcome.complete(false);
        }

        private void failed(Throwable failure) {
            if (!repeated && StoreFailure.isWorthRepeating(failure)) {
                repeated = true;
                mayBeDone = Exceptions.isCut(failure); // A server that is not serving has executed nothing.
                start();
                return;
            }
            lease.tellEnd(Ended.End.RELEASED);
            mayBeDone |= StoreFailure.isOutcomeUnknown(failure);
            if (mayBeDone) {
                ownGrants.askAgain(request.claim().key());
            }
            if (lease.mayBeReleasedLater()) {
                boolean mayBeProlonged = lease.isRenewed() || lease.term().mayOutlast();
                Validity longest =
                        mayBeProlonged ? fromNow(lease) : lease.term().atServer();
                background.release(lease.subject(), request, longest, this);
            }
            outcome.completeExceptionally(failure);
        }

        /** No attempt was executed: a lease that is not held was lost. */
        @Override
        public void lost(HoldReply.NotHeld reply) {
            // After its end nothing is known: an extension may have made the server hold it for longer, or not.
            if (!mayBeDone && lease.term().remainingNanos() > 0) {
                lease.foundLost(reply);
            }
        }

        /**
         * An attempt may have been executed, or be executed after the waiters have asked again: a server that was paused reads
         * commands of several connections in any order. Its lost reply may have carried a grant, which is found by asking.
         */
        @Override
        public void ended() {
            if (mayBeDone) {
                ownGrants.askAgain(request.claim().key());
            }
        }
    }
}
