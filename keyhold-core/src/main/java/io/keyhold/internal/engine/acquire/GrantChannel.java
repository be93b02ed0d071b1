package io.keyhold.internal.engine.acquire;

import io.keyhold.KeyholdClock;
import io.keyhold.internal.store.GrantNotice;
import io.keyhold.internal.store.GrantSource;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.time.ClockReading;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The client's grant channel at one source, and the requests with an entry in a queue there. The channel is opened when a request has to
 * wait for the first time, kept from then on, and opened again when it breaks while requests wait. While requests wait it is also probed: a
 * connection can be dead for minutes without either side being told, and it may lead to a server that no longer has the locks.
 *
 * <p>A channel that cannot be opened fails no request: requests poll meanwhile, and find out for themselves whether the store
 * can be reached. Only a missing permission is final; everything else is tried again, after a pause that grows.
 *
 * <p>A grant is dated by the clock of the source that it came from: the servers of a cluster have a clock each, and dated by another one
 * a lease could seem valid after its end.
 */
final class GrantChannel {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int MOST_DOUBLINGS = 4;
    /** A channel is kept at least this long: every waiter that a replica refuses distrusts it, and there may be thousands. */
    private static final long SHORTEST_TRUST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final GrantRouter router;
    private final GrantSource source;
    private final KeyholdClock clock;
    private final Scheduler scheduler;
    private final ServerClock serverClock;
    /** By the number of the entry. */
    final Map<Long, GrantRouter.Waiter> waiters = new ConcurrentHashMap<>();

    private final AtomicReference<@Nullable Opening> current = new AtomicReference<>();
    private final AtomicBoolean probing = new AtomicBoolean();
    /** The last failure to open it, until it is open. */
    private volatile @Nullable Failure failure;

    private volatile boolean closed;

    GrantChannel(GrantRouter router, GrantSource source, KeyholdClock clock, Scheduler scheduler) {
        this.router = router;
        this.source = source;
        this.clock = clock;
        this.scheduler = scheduler;
        this.serverClock = new ServerClock(clock);
    }

    /** Which attempts have failed in a row, and when the last one did. */
    private record Failure(int inARow, ClockReading at) {

        long pauseNanos() {
            return FIRST_PAUSE_NANOS << Math.min(inARow - 1, MOST_DOUBLINGS);
        }
    }

    GrantSource source() {
        return source;
    }

    ServerClock serverClock() {
        return serverClock;
    }

    /** Returns whether any request waits. Only then is the channel probed, and opened again. */
    boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    /** Returns whether there is nothing to be closed and no request to be told. */
    boolean isIdle() {
        return !hasWaiters() && address().isEmpty();
    }

    /** Keys may have moved to another source. */
    void moved() {
        for (GrantRouter.Waiter request : List.copyOf(waiters.values())) {
            if (!router.isAt(this, request)) {
                request.askAgain();
            }
        }
    }

    /** Opens the channel. Returns whether it is open; if not, the store has to be polled for now. */
    CompletableFuture<Boolean> open() {
        while (true) {
            Opening known = current.get();
            if (known != null) {
                return known.isOpen();
            }
            if (!mayTry()) {
                return CompletableFuture.completedFuture(false);
            }
            Opening opening = new Opening();
            if (current.compareAndSet(null, opening)) {
                opening.start();
                return opening.isOpen();
            }
        }
    }

    /** Returns whether {@link #open} would do more than return false. */
    boolean mayOpen() {
        Opening known = current.get();
        return known == null
                ? mayTry()
                : !known.subscription.isDone() || known.subscription().isPresent();
    }

    private boolean mayTry() {
        Failure last = failure;
        return last == null || last.at().nanosSince(clock) >= last.pauseNanos();
    }

    /** Returns its address, if it is open. */
    Optional<String> address() {
        Opening known = current.get();
        return known == null ? Optional.empty() : known.subscription().map(GrantSubscription::address);
    }

    /** Returns whether a grant that is sent to this address arrives, or will as soon as the channel that is being opened is open. */
    boolean reaches(String address) {
        Opening known = current.get();
        if (known == null) {
            return failure == null;
        }
        return !known.subscription.isDone() || address().filter(address::equals).isPresent();
    }

    /** A request waits from now on. */
    void watch() {
        if (probing.compareAndSet(false, true)) {
            scheduler.schedule(PROBE_NANOS, this::probe);
        }
    }

    private void probe() {
        Opening known = current.get();
        if (known != null && hasWaiters()) {
            source.lookForMoves(); // The channel may be in order while its keys are elsewhere.
            known.probe();
        }
        if (hasWaiters()) {
            scheduler.schedule(PROBE_NANOS, this::probe);
        } else {
            probing.set(false);
            if (hasWaiters()) {
                watch(); // It came between the check and the assignment above, and found the probing still on.
            }
        }
    }

    /** The server behind the address may be another one than before: the channel is opened again, to that one. */
    void distrust() {
        Opening known = current.get();
        if (known != null) {
            known.distrust();
        }
    }

    void close() {
        closed = true;
        Opening known = current.getAndSet(null);
        if (known != null) {
            known.subscription().ifPresent(GrantSubscription::close);
        }
    }

    /** Tries until it is open, or no request waits. */
    private void reopen() {
        if (closed || !hasWaiters()) {
            return;
        }
        open().whenComplete((open, impossible) -> {
            // Messages may have been lost. A request that meets an outage asks again by itself.
            for (GrantRouter.Waiter request : List.copyOf(waiters.values())) {
                if (open || !request.isInOutage()) {
                    request.askAgain();
                }
            }
            Failure last = failure;
            if (!open && last != null) {
                scheduler.schedule(last.pauseNanos(), this::reopen);
            }
        });
    }

    /** One channel of the store, from the attempt to open it to its end. */
    private final class Opening implements GrantSubscription.Listener {

        /** Empty if there is none. Never fails. */
        private final CompletableFuture<Optional<GrantSubscription>> subscription = new CompletableFuture<>();

        private final ClockReading began = ClockReading.now(clock);
        private final AtomicBoolean distrusted = new AtomicBoolean();
        private volatile boolean missingProbe;

        void start() {
            source.openGrantChannel(this).whenComplete((opened, trouble) -> {
                if (trouble == null) {
                    opened(opened);
                } else {
                    failed(Stages.unwrapped(trouble));
                }
            });
        }

        private void opened(Optional<GrantSubscription> opened) {
            failure = null;
            subscription.complete(opened);
            if (current.get() != this) {
                opened.ifPresent(GrantSubscription::close); // The client was closed meanwhile.
            }
        }

        private void failed(Throwable cause) {
            if (StoreFailure.isForbidden(cause)) {
                LOG.log(
                        Level.WARNING,
                        "the grant channel is not permitted; polling for the lifetime of this client (required ACL:"
                                + " docs/keys.md): {0}",
                        cause.getMessage());
            } else {
                Failure last = failure;
                failure = new Failure(last == null ? 1 : last.inARow() + 1, ClockReading.now(clock));
                LOG.log(
                        last == null ? Level.INFO : Level.DEBUG,
                        "the grant channel cannot be opened; polling until it can: {0}",
                        cause.getMessage());
                current.compareAndSet(this, null);
            }
            subscription.complete(Optional.empty());
        }

        CompletableFuture<Boolean> isOpen() {
            return subscription.thenApply(Optional::isPresent);
        }

        Optional<GrantSubscription> subscription() {
            return subscription.isDone() ? subscription.join() : Optional.empty();
        }

        /** A probe that did not arrive since the last time means that nothing does. */
        void probe() {
            subscription().ifPresent(open -> {
                if (missingProbe) {
                    replace("a probe did not arrive");
                    return;
                }
                missingProbe = true;
                open.probe().whenComplete((heard, trouble) -> {
                    if (heard != null && !heard) {
                        replace("the server that has the locks does not know it");
                    }
                });
            });
        }

        /** Replaces the channel at once, or when it is old enough: a later refusal may come from yet another server. */
        void distrust() {
            if (distrusted.compareAndSet(false, true)) {
                long left = SHORTEST_TRUST_NANOS - began.nanosSince(clock);
                String reason = "the server does not serve any more";
                if (left <= 0) {
                    replace(reason);
                } else {
                    scheduler.schedule(left, () -> replace(reason));
                }
            }
        }

        void replace(String reason) {
            subscription().ifPresent(open -> {
                LOG.log(Level.INFO, "the grant channel is opened again: {0}", reason);
                open.close();
                ended(new IllegalStateException(reason));
            });
        }

        @Override
        public void granted(GrantNotice notice) {
            GrantRouter.Waiter request = waiters.get(notice.number());
            if (request != null) {
                request.grantArrives(DatedGrant.by(serverClock, notice));
            }
        }

        @Override
        public void freed(long number) {
            GrantRouter.Waiter request = waiters.get(number);
            if (request != null) {
                router.freed(request);
            }
        }

        @Override
        public void probed() {
            missingProbe = false;
        }

        @Override
        public void ended(Throwable reason) {
            if (current.compareAndSet(this, null)) {
                LOG.log(Level.DEBUG, () -> "the grant channel ended: " + reason.getMessage());
                serverClock.forget(); // The address may lead to another server by now.
                reopen();
            }
        }
    }
}
