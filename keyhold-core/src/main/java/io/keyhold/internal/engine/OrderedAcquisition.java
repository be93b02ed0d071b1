package io.keyhold.internal.engine;

import io.keyhold.AcquireTimeoutException;
import io.keyhold.Fairness;
import io.keyhold.LockOptions;
import io.keyhold.internal.Formats;
import io.keyhold.internal.LockKey;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.time.SerialExecutor;
import io.keyhold.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request for several locks at once, which waits. First it asks for all of them together: if they are free, that is all. If
 * not, it takes them one by one, waiting in line at each, in the order of their keys; everybody who takes several goes by
 * that order, so that no two can wait for each other. What it has meanwhile is kept by renewed leases of its own, each
 * with a token of its own. When it has all of them, it asks for all together once more, and the store exchanges those
 * tokens for one: that gives one lease that begins now, and one fencing token above all earlier ones of all keys.
 *
 * <p>Should a part have been lost before that, everything goes back and it begins again: to wait for the lost one while holding
 * later ones would break the order.
 */
final class OrderedAcquisition implements LeaseRequest {

    private final Engine engine;
    private final Ask ask;
    private final Claim.Locks locks;
    private final Caller caller;
    private final @Nullable Thread owner;
    private final Patience patience;
    private final CompletableFuture<Optional<HeldLease>> outcome = new CompletableFuture<>();
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private final SerialExecutor steps = new SerialExecutor();
    private final List<HeldLease> parts = new ArrayList<>();
    private final Outage outage;
    private @Nullable LeaseRequest current;
    private int releasing;
    private int asked;
    private volatile Optional<AcquireTimeoutException> obstacle = Optional.empty();

    OrderedAcquisition(Engine engine, Ask ask, Claim.Locks locks, Caller caller, @Nullable Thread owner) {
        this.engine = engine;
        this.ask = ask;
        this.locks = locks;
        this.caller = caller;
        this.owner = owner;
        this.patience = new Patience(ask.plan(), engine.clock());
        this.outage = new Outage(ask, engine.clock());
    }

    @Override
    public void start() {
        step(this::askForAll);
    }

    @Override
    public CompletableFuture<Optional<HeldLease>> outcome() {
        return outcome;
    }

    @Override
    public CompletableFuture<Void> settled() {
        return settled;
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

    @Override
    public AcquireTimeoutException timeout() {
        Duration waited =
                Duration.ofMillis(Duration.ofNanos(patience.waitedNanos()).toMillis());
        String reason = obstacle.map(part -> ": " + part.getMessage()).orElse("");
        return new AcquireTimeoutException(
                ask.subject() + " were not acquired within " + Formats.duration(waited) + reason, Math.max(asked, 1));
    }

    private void step(Runnable step) {
        caller.execute(() -> steps.run(step));
    }

    private void askForAll() {
        if (!outcome.isDone()) {
            List<String> tokens = parts.stream().map(HeldLease::storedToken).toList();
            Subject all = ask.subject().claiming(new Claim.Locks(locks.keys(), tokens));
            Ask once = new Ask(all, ask.options(), WaitPlan.NONE);
            Acquisition request = new Acquisition(engine, once, caller, owner);
            follow(request.following(asked++, outage), this::gotAll, this::askForAll);
        }
        settle();
    }

    private void gotAll(Optional<HeldLease> lease) {
        if (lease.isPresent()) {
            // The store has exchanged their tokens: they hold nothing any more.
            parts.forEach(HeldLease::letGoUnreleased);
            parts.clear();
            if (!outcome.complete(lease)) {
                giveBack(lease.get());
            }
        } else if (parts.isEmpty()) {
            takeNext();
        } else {
            giveBackParts();
        }
    }

    /** One key more than there are parts. */
    private void takeNext() {
        if (outcome.isDone()) {
            return;
        }
        if (patience.isSpent()) {
            outcome.complete(Optional.empty());
            return;
        }
        String key = locks.keys().get(parts.size());
        LockOptions.Builder options = LockOptions.builder().fairness(Fairness.STRICT);
        if (ask.leaseMillis() != AcquireRequest.NO_EXPIRY) {
            options.lease(Duration.ofMillis(ask.leaseMillis())).renew(true);
        }
        LockOptions part = options.build();
        WaitPlan plan = WaitPlan.of(part);
        if (ask.plan().maxWait().isPresent()) {
            plan = plan.within(Duration.ofNanos(patience.leftNanos()));
        }
        Ask one = new Ask(new LockKey(key, key), part, plan);
        follow(new Acquisition(engine, one, caller, null).following(0, outage), this::gotOne, this::takeNext);
    }

    private void gotOne(Optional<HeldLease> lease) {
        if (lease.isEmpty()) {
            outcome.complete(Optional.empty());
            return;
        }
        parts.add(lease.get());
        if (parts.size() < locks.keys().size()) {
            takeNext();
        } else {
            askForAll();
        }
    }

    private void follow(Acquisition request, Consumer<Optional<HeldLease>> then, Runnable again) {
        current = request;
        // Not before it is settled: it would still be at its place in the queue, or on its way there.
        request.settled()
                .whenComplete((nothing, failure) -> step(() -> {
                    current = null;
                    ended(request, then, again);
                    settle();
                }));
        request.start();
    }

    private void ended(Acquisition request, Consumer<Optional<HeldLease>> then, Runnable again) {
        request.outcome().handle((lease, failure) -> {
            if (failure == null) {
                outage.ends();
                if (lease.isEmpty()) {
                    obstacle = Optional.of(request.timeout());
                }
                then.accept(lease);
            } else if (!request.outcome().isCancelled()) {
                outage.inherit(request.outage());
                endure(Stages.unwrapped(failure), again);
            }
            return request;
        });
    }

    /** As one request does. What it holds meanwhile is kept, and found to be lost, if it is, when it asks for all. */
    private void endure(Throwable failure, Runnable again) {
        OptionalLong pause = engine.polling().pauseNanos(outage, patience);
        if (pause.isEmpty()) {
            outcome.completeExceptionally(failure);
        } else {
            caller.later(
                    pause.getAsLong(),
                    () -> step(() -> {
                        again.run();
                        settle();
                    }));
        }
    }

    private void giveBackParts() {
        List<HeldLease> all = List.copyOf(parts);
        parts.clear();
        all.forEach(this::giveBack);
    }

    private void giveBack(HeldLease lease) {
        releasing++;
        lease.release(caller)
                .whenComplete((released, failure) -> step(() -> {
                    releasing--;
                    if (releasing == 0 && !outcome.isDone()) {
                        takeNext();
                    }
                    settle();
                }));
    }

    /** Ends every step. When there is an outcome, gives back what is left, and is settled when that is done. */
    private void settle() {
        if (!outcome.isDone()) {
            return;
        }
        LeaseRequest request = current;
        if (request != null) {
            request.withdraw();
            return;
        }
        if (!parts.isEmpty()) {
            giveBackParts();
        }
        if (releasing == 0 && current == null) {
            engine.settled(this);
            settled.complete(null);
        }
    }

    @Override
    public String toString() {
        return ask.subject().text();
    }
}
