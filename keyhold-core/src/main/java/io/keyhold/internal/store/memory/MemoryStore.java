package io.keyhold.internal.store.memory;

import io.keyhold.KeyholdClock;
import io.keyhold.WrongKindException;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.Formats;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.VoteReply;
import io.keyhold.internal.store.VoteRequest;
import io.keyhold.internal.store.VotingNode;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.PendingReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Locks and semaphores inside this JVM. One guard makes each operation atomic, as one thread does in a Redis server; holds
 * end by the clock, noticed by the next operation. A space outlives its clients, so {@link #close()} does nothing.
 *
 * <p>As on Redis, a held key is a lock's or a semaphore's, and an operation of the other kind is refused.
 */
public final class MemoryStore implements LockStore, VotingNode {

    private static final int ACQUIRES_BETWEEN_SWEEPS = 4096;

    /** What a key is, for an operation of the other kind. */
    private static final String A_LOCK = "a lock";

    private static final String A_SEMAPHORE = "a semaphore";

    private static final AtomicLong SPACES = new AtomicLong();

    private final long number = SPACES.incrementAndGet();
    private final ReentrantLock guard = new ReentrantLock();
    private final MemoryGrantChannels channels = new MemoryGrantChannels();
    private final MemoryLocks locks;
    private final MemoryPermits permits;
    private final MemoryQuarantine quarantine;
    private int acquiresUntilSweep = ACQUIRES_BETWEEN_SWEEPS;

    /** Creates an empty space whose holds end by this clock. */
    public MemoryStore(KeyholdClock clock) {
        MemoryClock time = new MemoryClock(clock);
        locks = new MemoryLocks(time, channels);
        permits = new MemoryPermits(time, channels);
        quarantine = new MemoryQuarantine(clock);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        sending.run();
        return atomically(() -> {
            sweepNowAndThen();
            Claim claim = request.claim();
            if (claim instanceof Claim.Permits wanted) {
                checkNoLock("acquire " + wanted.noun(), wanted.key());
                return permits.acquire(wanted, request);
            }
            claim.keys().forEach(key -> checkNoSemaphore("acquire lock", key));
            return claim instanceof Claim.Locks all
                    ? locks.acquireAll(all, request)
                    : locks.acquire(claim.key(), request);
        });
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        Optional<String> replyTo = request.claim() instanceof Claim.Locks ? Optional.empty() : request.channel();
        return atomically(() -> channels.replying(replyTo, () -> released(request)));
    }

    private HoldReply released(ReleaseRequest request) {
        Claim claim = request.claim();
        if (claim instanceof Claim.Permits) {
            request.place().ifPresent(waiter -> permits.leaveQueue(claim.key(), waiter));
            return locks.isHeld(claim.key()) ? notHeld(A_LOCK) : permits.release(claim.key(), request);
        }
        request.place().ifPresent(waiter -> locks.leaveQueue(claim.key(), waiter));
        return ofAll(claim, key -> permits.isHeld(key) ? notHeld(A_SEMAPHORE) : locks.release(key, request));
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        return atomically(() -> {
            List<HoldReply> replies = new ArrayList<>(requests.size());
            requests.forEach(request -> replies.add(ofAll(request.claim(), key -> renewed(key, request))));
            return replies;
        });
    }

    private HoldReply renewed(String key, RenewRequest request) {
        if (request.claim() instanceof Claim.Permits) {
            return locks.isHeld(key) ? notHeld(A_LOCK) : permits.renew(key, request.token(), request.leaseMillis());
        }
        return permits.isHeld(key) ? notHeld(A_SEMAPHORE) : locks.renew(key, request.token(), request.leaseMillis());
    }

    private static HoldReply ofAll(Claim claim, Function<String, HoldReply> each) {
        return claim.keys().stream().map(each).reduce(HoldReply.DONE, HoldReply::ofBoth);
    }

    private static HoldReply notHeld(String what) {
        return new HoldReply.NotHeld(Optional.of(what));
    }

    @Override
    public CompletionStage<LockSnapshot> look(String key, CallMode mode) {
        return atomically(() -> {
            checkNoSemaphore("look at", key);
            return locks.snapshot(key);
        });
    }

    @Override
    public CompletionStage<Optional<LockSnapshot>> lookAtPermits(String key, CallMode mode) {
        return atomically(() -> locks.isHeld(key) ? Optional.empty() : permits.snapshot(key));
    }

    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        GlobPattern glob = new GlobPattern(pattern);
        return atomically(() -> {
            Stream<LockSnapshot> ofLocks =
                    locks.keys().stream().filter(glob::matches).map(locks::snapshot);
            Stream<LockSnapshot> ofPermits =
                    permits.keys().stream().filter(glob::matches).flatMap(key -> permits.snapshot(key).stream());
            return new Page(
                    Stream.concat(ofLocks, ofPermits)
                            .filter(LockSnapshot::isHeld)
                            .toList(),
                    Page.EDGE);
        });
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return atomically(() -> permits.forceRelease(key) || locks.forceRelease(key));
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        return atomically(() -> {
            checkNoLock("resize semaphore", key);
            return this.permits.resize(key, said, permits);
        });
    }

    @Override
    public CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener) {
        return atomically(() -> Optional.of(channels.open(listener)));
    }

    /** Opens a grant channel at an address that the client chooses, as on Redis: it can be opened again at the same one. */
    public CompletionStage<GrantSubscription> openGrantChannel(String address, GrantSubscription.Listener listener) {
        return atomically(() -> channels.open(address, listener));
    }

    @Override
    public void close() {}

    @Override
    public String address() {
        return "memory-" + number;
    }

    @Override
    public CompletionStage<VoteReply> vote(VoteRequest request, @Nullable Consumer<PendingReply> unread) {
        return atomically(() -> {
            sweepNowAndThen();
            request.claim().keys().forEach(key -> checkNoSemaphore("vote for lock", key));
            OptionalLong remaining = quarantine.forVote(request.admission());
            return remaining.isPresent()
                    ? new VoteReply.Abstained(remaining.getAsLong(), address())
                    : locks.vote(request, address());
        });
    }

    @Override
    public CompletionStage<Boolean> raise(Claim claim, String token, long raised) {
        return atomically(() -> locks.raise(claim, token, raised));
    }

    @Override
    public CompletionStage<Long> quarantineMillis(VoteRequest.Admission admission) {
        return atomically(() -> quarantine.peek(admission).orElse(0));
    }

    @Override
    public CompletionStage<HoldReply> giveUp(ReleaseRequest request, @Nullable Consumer<PendingReply> unread) {
        return atomically(() -> ofAll(request.claim(), key -> locks.giveUp(key, request)));
    }

    private void checkNoLock(String task, String key) {
        if (locks.isHeld(key)) {
            throw wrongKind(task, key, LockKind.LOCK);
        }
    }

    private void checkNoSemaphore(String task, String key) {
        if (permits.isHeld(key)) {
            throw wrongKind(task, key, permits.snapshot(key).orElseThrow().kind());
        }
    }

    private static WrongKindException wrongKind(String task, String key, LockKind found) {
        return new WrongKindException(
                "cannot " + task + " '" + Formats.cut(key, 80) + "': " + StoreFailure.inUseAs(found),
                Optional.of(found),
                null);
    }

    private void sweepNowAndThen() {
        if (--acquiresUntilSweep == 0) {
            acquiresUntilSweep = ACQUIRES_BETWEEN_SWEEPS;
            locks.sweep();
            permits.sweep();
        }
    }

    /** Messages go out after the guard is free: their receivers may call the store at once. */
    private <T> CompletionStage<T> atomically(Supplier<T> work) {
        CompletionStage<T> result;
        List<Runnable> messages;
        guard.lock();
        try {
            result = CompletableFuture.completedFuture(work.get());
        } catch (WrongKindException refused) {
            result = CompletableFuture.failedFuture(refused);
        } finally {
            messages = channels.takeMessages();
            guard.unlock();
        }
        messages.forEach(Runnable::run);
        return result;
    }
}
