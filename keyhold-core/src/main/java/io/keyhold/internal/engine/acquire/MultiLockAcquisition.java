package io.keyhold.internal.engine.acquire;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.Fairness;
import io.keyhold.KeyholdListener.Granted;
import io.keyhold.LockOptions;
import io.keyhold.inspect.LocalWaiter;
import io.keyhold.internal.Formats;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.engine.event.RequestEvents;
import io.keyhold.internal.engine.lease.HeldLease;
import io.keyhold.internal.engine.lease.Subject;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.time.Caller;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request for several locks at once that waits. First it asks for all of them together: if they are free, that is all. If
 * not, it acquires them one by one, waiting in the queue of each, in the order of their keys; all requests for several locks use
 * that order, so that no two can wait for each other. The locks it has meanwhile are kept by renewed leases, each
 * with a token of its own. When it has all of them, it asks for all together once more, and the store exchanges those
 * tokens for one: that gives one lease that begins now, and one fencing token above all earlier ones of all keys.
 *
 * <p>If a part was lost before that, everything is released and it starts again: waiting for the lost one while holding
 * later ones would break the order.
 */
final class MultiLockAcquisition extends LeaseRequest {

    /** One attempt at any time. */
    private static final WaitPlan ONCE = new WaitPlan(Optional.empty(), 1, Optional.empty());

    private final Claim.Locks locks;
    private final List<HeldLease> parts = new ArrayList<>();
    private volatile @Nullable Acquisition current;
    private int releasing;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Optional<AcquireTimeoutException> obstacle = Optional.empty();

    MultiLockAcquisition(
            Services services,
            AcquireSpec spec,
            Claim.Locks locks,
            Caller caller,
            @Nullable Thread owner,
            @Nullable RequestEvents events) {
        super(services, spec, caller, owner, events);
        this.locks = locks;
    }

    @Override
    void start() {
        step(this::askForAll);
    }

    @Override
    public AcquireTimeoutException timeout() {
        String reason = obstacle.map(part -> ": " + part.getMessage()).orElse("");
        return new AcquireTimeoutException(
                spec.subject() + " were not acquired within " + Formats.duration(deadline.waited()) + reason,
                Math.max(asked.get(), 1));
    }

    @Override
    int attempts() {
        return asked.get();
    }

    /** The part that it acquires now tells. */
    @Override
    LocalWaiter.State waitingFor() {
        Acquisition part = current;
        return part == null ? LocalWaiter.State.IN_FLIGHT : part.waitingFor();
    }

    private void askForAll() {
        inTime(ONCE).ifPresent(plan -> {
            List<String> tokens = parts.stream().map(HeldLease::storedToken).toList();
            Subject all = spec.subject().claiming(new Claim.Locks(locks.keys(), tokens));
            AcquireSpec once = new AcquireSpec(all, spec.options(), plan);
            Acquisition request = new Acquisition(services, once, caller, owner, events);
            follow(request.following(asked.getAndIncrement(), waited(), contact), this::gotAll, this::askForAll);
        });
        decided();
    }

    /**
     * Returns this plan within the deadline, which also covers the time that a request waits inside this client. Empty if it is over; but the
     * first request is always made.
     */
    private Optional<WaitPlan> inTime(WaitPlan plan) {
        long left = Math.max(0, deadline.leftNanos());
        if (left == 0 && asked.get() > 0) {
            contact.failure().ifPresentOrElse(outcome::completeExceptionally, () -> outcome.complete(Optional.empty()));
        }
        if (outcome.isDone()) {
            return Optional.empty();
        }
        return Optional.of(spec.plan().maxWait().isPresent() ? plan.within(Duration.ofNanos(left)) : plan);
    }

    private Granted.Path waited() {
        return parts.stream().anyMatch(part -> part.grant().path() == Granted.Path.QUEUE)
                ? Granted.Path.QUEUE
                : Granted.Path.FREE;
    }

    private void gotAll(Optional<HeldLease> lease) {
        if (lease.isPresent()) {
            // The store has exchanged their tokens: they hold nothing any more.
            parts.forEach(HeldLease::endUnreleased);
            parts.clear();
            if (!outcome.complete(lease)) {
                release(lease.get());
            }
        } else if (parts.isEmpty()) {
            takeNext();
        } else {
            releaseParts();
        }
    }

    /** Acquires the next key in the order. */
    private void takeNext() {
        LockOptions.Builder options = LockOptions.builder().fairness(Fairness.STRICT);
        if (spec.leaseMillis() != AcquireRequest.NO_EXPIRY) {
            options.lease(Duration.ofMillis(spec.leaseMillis())).renew(true);
        }
        LockOptions part = options.build();
        inTime(WaitPlan.of(part)).ifPresent(plan -> {
            String key = locks.keys().get(parts.size());
            AcquireSpec one = new AcquireSpec(new LockKey(key, key), part, plan);
            Acquisition request = new Acquisition(services, one, caller, null, null);
            follow(request.following(0, Granted.Path.FREE, contact), this::gotOne, this::takeNext);
        });
    }

    private void gotOne(Optional<HeldLease> lease) {
        if (lease.isEmpty()) {
            outcome.complete(Optional.empty());
            return;
        }
        parts.add(lease.get().asPart());
        if (parts.size() < locks.keys().size()) {
            takeNext();
        } else {
            askForAll();
        }
    }

    private void follow(Acquisition request, Consumer<Optional<HeldLease>> then, Runnable again) {
        current = request;
        // Not before it is settled: its queue entry would still exist, or be in flight.
        request.settled()
                .whenComplete((nothing, failure) -> step(() -> {
                    current = null;
                    ended(request, then, again);
                    decided();
                }));
        request.start();
    }

    private void ended(Acquisition request, Consumer<Optional<HeldLease>> then, Runnable again) {
        request.outcome().handle((lease, failure) -> {
            if (failure == null) {
                contact.replied();
                if (lease.isEmpty()) {
                    obstacle = Optional.of(request.timeout());
                }
                then.accept(lease);
            } else if (!outcome.isDone()) {
                contact.inherit(request.contact);
                endure(Stages.unwrapped(failure), again);
            }
            return request;
        });
    }

    /** Waits an outage out as one request does. It keeps what it holds; a loss is found when it asks for all. */
    private void endure(Throwable failure, Runnable again) {
        OptionalLong pause = services.polling().outagePauseNanos(contact, deadline);
        if (pause.isEmpty()) {
            outcome.completeExceptionally(failure);
        } else {
            caller.later(
                    pause.getAsLong(),
                    () -> step(() -> {
                        again.run();
                        decided();
                    }));
        }
    }

    private void releaseParts() {
        List<HeldLease> all = List.copyOf(parts);
        parts.clear();
        all.forEach(this::release);
    }

    private void release(HeldLease lease) {
        releasing++;
        // Not by the thread that waits: there may be many, and a silent server would cost a timeout for each.
        lease.release(services.asynchronously())
                .whenComplete((released, failure) -> step(() -> {
                    releasing--;
                    if (releasing == 0 && !outcome.isDone()) {
                        takeNext();
                    }
                    decided();
                }));
    }

    /** Ends every step. When the outcome is decided, releases what is left, and is settled when that is done. */
    @Override
    void decided() {
        if (!outcome.isDone()) {
            return;
        }
        Acquisition request = current;
        if (request != null) {
            if (request.spec.subject().claim() instanceof Claim.Locks) {
                request.withdrawUnsent(); // Its reply tells whether the parts hold anything.
            } else {
                request.withdraw();
            }
            return;
        }
        if (!parts.isEmpty()) {
            releaseParts();
        }
        if (releasing == 0) {
            settle();
        }
    }
}
