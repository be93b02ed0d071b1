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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The client's grant channel at one source: opened when a request has to wait for the first time, kept from then on, and opened again when
 * it breaks while requests wait. While requests wait it is also probed: a connection can be dead for minutes without either
 * side being told, and it may lead to a server that no longer has the locks.
 *
 * <p>A channel that cannot be opened fails no request: requests poll meanwhile, and find out for themselves whether the store
 * can be reached. Only a missing permission is final; everything else is tried again, after a pause that grows.
 */
final class GrantChannel {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int MOST_DOUBLINGS = 4;
    /** A channel is kept at least this long: every waiter that a replica refuses distrusts it, and there may be thousands. */
    private static final long SHORTEST_TRUST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final GrantSource source;
    private final KeyholdClock clock;
    private final Scheduler scheduler;
    private final Listener listener;
    private final AtomicReference<@Nullable Opening> current = new AtomicReference<>();
    private final AtomicBoolean probing = new AtomicBoolean();
    /** The last failure to open it, until it is open. */
    private volatile @Nullable Failure failure;

    private volatile boolean closed;

    GrantChannel(GrantSource source, KeyholdClock clock, Scheduler scheduler, Listener listener) {
        this.source = source;
        this.clock = clock;
        this.scheduler = scheduler;
        this.listener = listener;
    }

    /** Which attempts have failed in a row, and when the last one did. */
    private record Failure(int inARow, ClockReading at) {

        long pauseNanos() {
            return FIRST_PAUSE_NANOS << Math.min(inARow - 1, MOST_DOUBLINGS);
        }
    }

    /** Whether a grant that is sent to an address arrives. */
    enum Reach {
        /** It does, or will as soon as the channel that is being opened is open. */
        ARRIVES,
        /** Not now: the channel is closed. It may be open again later under the same address. */
        DOWN,
        /** Never again: the channel has another address. */
        MOVED
    }

    /** Receives the messages. */
    interface Listener {

        /** Returns whether any request waits. Only then is the channel probed, and opened again. */
        boolean hasWaiters();

        void granted(GrantNotice notice);

        void freed(long number);

        /** The channel has ended, and the address may lead to another server. */
        void ended();

        /** Messages may have been lost. Called after each attempt to open the channel again, with its result. */
        void interrupted(boolean openAgain);
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

    Reach reach(String address) {
        Opening known = current.get();
        if (known == null) {
            return failure == null ? Reach.ARRIVES : Reach.DOWN;
        }
        if (!known.subscription.isDone()) {
            return Reach.ARRIVES;
        }
        return known.subscription()
                .map(subscription -> subscription.address().equals(address) ? Reach.ARRIVES : Reach.MOVED)
                .orElse(Reach.DOWN);
    }

    /** A request waits from now on. */
    void watch() {
        if (probing.compareAndSet(false, true)) {
            scheduler.schedule(PROBE_NANOS, this::probe);
        }
    }

    private void probe() {
        Opening known = current.get();
        if (known != null && listener.hasWaiters()) {
            source.lookForMoves(); // The channel may be in order while its keys are elsewhere.
            known.probe();
        }
        if (listener.hasWaiters()) {
            scheduler.schedule(PROBE_NANOS, this::probe);
        } else {
            probing.set(false);
            if (listener.hasWaiters()) {
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
        if (closed || !listener.hasWaiters()) {
            return;
        }
        open().whenComplete((open, impossible) -> {
            listener.interrupted(open);
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
            listener.granted(notice);
        }

        @Override
        public void freed(long number) {
            listener.freed(number);
        }

        @Override
        public void probed() {
            missingProbe = false;
        }

        @Override
        public void ended(Throwable reason) {
            if (current.compareAndSet(this, null)) {
                LOG.log(Level.DEBUG, () -> "the grant channel ended: " + reason.getMessage());
                listener.ended();
                reopen();
            }
        }
    }
}
