package io.keyhold.internal.engine;

import io.keyhold.AlreadyHeldException;
import io.keyhold.Fairness;
import io.keyhold.KeyholdClock;
import io.keyhold.KeyholdClosedException;
import io.keyhold.internal.TokenText;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.BackgroundReleaser;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.time.ConcurrencyLimit;
import io.keyhold.internal.time.Scheduler;
import io.keyhold.internal.time.ThreadScheduler;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.Stages;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What one client has: its store, its time, the requests that wait and the leases that it holds. {@link Operations} is
 * the way in for the primitives.
 */
public final class Engine implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.keyhold");
    /** A driver with blocking I/O has few threads for calls that nobody waits for, and patience of two seconds. */
    private static final int AT_A_TIME = 64;

    /** During an outage there may be thousands, each waiting for a timeout, and they must not stand in the way of renewals. */
    private static final int UNDOING_AT_A_TIME = 2;

    /** With what follows, closing ends within 5 s, also on a server that does not answer. */
    private static final long CLOSING_NANOS = TimeUnit.MILLISECONDS.toNanos(3_500);
    /** What is given back in the background ends with its lease anyway, and may be meant for a server that is dead. */
    private static final long TIDYING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LockStore store;
    private final KeyholdClock clock;
    private final Scheduler scheduler;
    private final Callbacks callbacks;
    private final TokenText tokens;
    private final Polling polling;
    private final AsynchronousCaller asynchronously;
    private final BackgroundReleaser undo;
    private final LeaseWatch watch = new LeaseWatch(this);
    private final IdleTrim trim;
    private final StoreTime storeTime;
    private final WaitingRoom waitingRoom = new WaitingRoom(this);
    private final Gates<Acquisition> gates = new Gates<>();
    private final ConcurrencyLimit asking = new ConcurrencyLimit(AT_A_TIME);
    /** Of its own: whoever waits for a lock does not hold up those who give theirs back. */
    private final ConcurrencyLimit releasing = new ConcurrencyLimit(AT_A_TIME);

    private final Set<LeaseRequest> waiting = ConcurrentHashMap.newKeySet();
    private final Set<HeldLease> held = ConcurrentHashMap.newKeySet();
    private final Map<ThreadHold, HeldLease> heldByThread = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** The methods are written out because those that come with a record cost the first lock of a process 15 ms. */
    private record ThreadHold(Subject.Held what, Thread thread) {

        @Override
        public int hashCode() {
            return 31 * what.hashCode() + thread.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ThreadHold hold && hold.thread == thread && hold.what.equals(what);
        }
    }

    /** On this store, with time and chance from outside. */
    public Engine(
            LockStore store,
            KeyholdClock clock,
            Scheduler scheduler,
            Executor callbackExecutor,
            TokenText tokens,
            RandomGenerator random) {
        this.store = store;
        this.clock = clock;
        this.scheduler = scheduler;
        this.callbacks = new Callbacks(callbackExecutor);
        this.tokens = tokens;
        this.polling = new Polling(random);
        this.asynchronously = new AsynchronousCaller(scheduler);
        this.undo = new BackgroundReleaser(
                request -> store.release(request, CallMode.ASYNCHRONOUS),
                clock,
                scheduler,
                UNDOING_AT_A_TIME,
                Integer.MAX_VALUE); // What never expires must be released, however much there is of it.
        this.trim = new IdleTrim(store, scheduler);
        this.storeTime = new StoreTime(clock);
    }

    /** A timer thread for a client of this name, which is started when it is first needed. */
    public static Scheduler timer(String clientName) {
        return new ThreadScheduler("keyhold-timer-" + clientName);
    }

    /** Many threads use it, which not every generator can bear; and this one is not searched for, which takes 20 ms. */
    public static RandomGenerator chance() {
        return new Random();
    }

    /**
     * With a timer, which it closes in the end, and chance from the JVM; without an executor for callbacks, with threads of
     * its own.
     */
    public static Engine threaded(
            LockStore store,
            KeyholdClock clock,
            Scheduler timer,
            @Nullable Executor callbackExecutor,
            String clientName) {
        Executor callbacks = callbackExecutor != null ? callbackExecutor : new CallbackThreads(clientName);
        return new Engine(store, clock, timer, callbacks, new TokenText(clientName), chance());
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (LeaseRequest request : waiting) {
            request.fail(new KeyholdClosedException("the client was closed while it waited for " + request));
            ends.add(request.settled());
        }
        // Together: a request that has no answer must not use up the time for releases.
        held.forEach(lease -> ends.add(lease.release(asynchronously)));
        awaitQuietly(ends, CLOSING_NANOS);
        awaitQuietly(List.of(store.settled().toCompletableFuture()), TIDYING_NANOS);
        waitingRoom.close();
        store.close();
        scheduler.close();
        callbacks.close();
    }

    /** Whatever interrupts come: a thread that was interrupted has to release all the same. */
    private void awaitQuietly(List<CompletableFuture<?>> ends, long nanos) {
        CompletableFuture<Boolean> done = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                .handle((nothing, failure) -> failure == null);
        if (!done.isDone()) {
            scheduler.schedule(nanos, () -> done.complete(false));
        }
        if (!new BlockingCaller().awaitUninterruptibly(done)) {
            LOG.log(Level.INFO, "not everything could be released while closing; the rest ends with its lease");
        }
    }

    /** Takes a request in; {@code owner} as in {@link Acquisition}. */
    LeaseRequest start(Ask ask, Caller caller, @Nullable Thread owner) {
        checkOpen();
        refuseWhatTheStoreCannotDo(ask);
        trim.used();
        LeaseRequest request = ask.subject().claim() instanceof Claim.Locks locks && ask.queues()
                ? new OrderedAcquisition(this, ask, locks, caller, owner)
                : new Acquisition(this, ask, caller, owner);
        waiting.add(request);
        if (closed) {
            request.fail(new KeyholdClosedException("the client is closed"));
        } else {
            request.start();
        }
        return request;
    }

    private void refuseWhatTheStoreCannotDo(Ask ask) {
        if (store.usesTokensOnce() && ask.options().token().isPresent()) {
            throw new UnsupportedOperationException(
                    "a token of your own cannot be used on a quorum: a release of an earlier"
                            + " attempt that is on its way yet would free what a later one got");
        }
        if (!store.keepsOrder() && ask.options().fairness() == Fairness.STRICT) {
            throw new UnsupportedOperationException(
                    "fairness STRICT cannot be had on a quorum: each node has a queue of its own");
        }
    }

    /** Asks the store. Asynchronous callers may be thousands, and take turns. */
    CompletionStage<AcquireReply> acquire(AcquireRequest request, Caller caller, Runnable sending) {
        return caller.mode() == CallMode.BLOCKING
                ? store.acquire(request, CallMode.BLOCKING, sending)
                : asking.submit(() -> store.acquire(request, CallMode.ASYNCHRONOUS, sending));
    }

    /** Gives something back at the store; in the same way, because the end of a client releases all that it holds. */
    CompletionStage<HoldReply> release(ReleaseRequest request, Caller caller) {
        return caller.mode() == CallMode.BLOCKING
                ? store.release(request, CallMode.BLOCKING)
                : releasing.submit(() -> store.release(request, CallMode.ASYNCHRONOUS));
    }

    /** Whoever was ahead at this lock's gate is done: who is ahead now, and still wants the lock. Nobody does when closing. */
    Optional<Acquisition> nextAtGate(String key) {
        Optional<Acquisition> next = gates.next(key);
        while (next.isPresent() && (closed || next.get().outcome().isDone())) {
            next = gates.next(key);
        }
        return next;
    }

    /** A request has its outcome, and nothing of it is under way. */
    void settled(LeaseRequest request) {
        waiting.remove(request);
    }

    /** Looks after a new lease. */
    void hold(HeldLease lease) {
        held.add(lease);
        watch.watch(lease);
    }

    /** The thread that gets this lease owns it from now on; called by that thread, so never for a lease that it does not get. */
    HeldLease own(HeldLease lease) {
        Thread owner = lease.takenBy();
        if (owner != null && lease.isOpen()) {
            for (Subject.Held what : lease.subject().heldAs()) {
                heldByThread.put(new ThreadHold(what, owner), lease);
            }
            if (!lease.isOpen()) {
                disown(lease);
            }
        }
        return lease;
    }

    /** Ends that. */
    void forget(HeldLease lease) {
        held.remove(lease);
        disown(lease);
        watch.forget(lease);
    }

    /** The lease belongs to no thread any more. */
    void disown(HeldLease lease) {
        Thread owner = lease.takenBy();
        if (owner != null) {
            for (Subject.Held what : lease.subject().heldAs()) {
                heldByThread.remove(new ThreadHold(what, owner), lease);
            }
        }
    }

    /** Refuses a thread that would wait for itself. */
    void checkNotHeldHere(Subject subject) {
        for (Subject.Obstacle obstacle : subject.obstacles()) {
            if (heldHere(obstacle.heldAs()).isPresent()) {
                throw new AlreadyHeldException(
                        "thread '" + Thread.currentThread().getName() + "' holds " + obstacle.reason());
            }
        }
    }

    /** The lease by which this thread holds that. */
    Optional<HeldLease> heldHere(Subject.Held what) {
        return Optional.ofNullable(heldByThread.get(new ThreadHold(what, Thread.currentThread())))
                .filter(HeldLease::isHeld);
    }

    /** Does one thing at the store and waits for it, whatever interrupts come. */
    <T> T await(Function<Caller, CompletionStage<T>> operation) {
        checkOpen();
        trim.used();
        BlockingCaller caller = new BlockingCaller();
        return caller.awaitUninterruptibly(operation.apply(caller).toCompletableFuture());
    }

    /** As {@link #await}, for what may be done twice: repeats it once if the connection turns out to be closed, or not serving. */
    <T> T awaitRepeatable(Function<Caller, CompletionStage<T>> operation) {
        return await(caller -> operation
                .apply(caller)
                .handle((value, failure) -> failure == null
                        ? CompletableFuture.completedStage(value)
                        : StoreFailure.isWorthRepeating(Stages.unwrapped(failure))
                                ? operation.apply(caller)
                                : CompletableFuture.<T>failedStage(failure))
                .thenCompose(stage -> stage));
    }

    boolean isClosed() {
        return closed;
    }

    private void checkOpen() {
        if (closed) {
            throw new KeyholdClosedException("the client is closed");
        }
    }

    /** Where its locks live. */
    public LockStore store() {
        return store;
    }

    KeyholdClock clock() {
        return clock;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    TokenText tokens() {
        return tokens;
    }

    Polling polling() {
        return polling;
    }

    StoreTime storeTime() {
        return storeTime;
    }

    WaitingRoom waitingRoom() {
        return waitingRoom;
    }

    Gates<Acquisition> gates() {
        return gates;
    }

    BackgroundReleaser undo() {
        return undo;
    }

    /** The caller of everything that nobody waits for. */
    AsynchronousCaller asynchronously() {
        return asynchronously;
    }
}
