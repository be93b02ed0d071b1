package io.keyhold.internal.engine;

import io.keyhold.KeyholdClock;
import io.keyhold.StoreRefusedException;
import io.keyhold.StoreUnavailableException;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.internal.store.AcquireReply;
import io.keyhold.internal.store.AcquireRequest;
import io.keyhold.internal.store.Claim;
import io.keyhold.internal.store.GrantSubscription;
import io.keyhold.internal.store.HoldReply;
import io.keyhold.internal.store.LockStore;
import io.keyhold.internal.store.ReleaseRequest;
import io.keyhold.internal.store.RenewRequest;
import io.keyhold.internal.store.StoreFailure;
import io.keyhold.internal.store.UnacknowledgedException;
import io.keyhold.internal.store.memory.MemoryStore;
import io.keyhold.spi.CallMode;
import io.keyhold.spi.RedisConnectionException;
import io.keyhold.spi.RedisConnectionException.Failure;
import io.keyhold.spi.RedisErrorException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A real in-memory store behind a connection that fails as a test says, one entry of {@link #troubles} an operation. */
public final class TroubledStore implements LockStore {

    public enum Trouble {
        /** Works. */
        NONE,
        /** The store does it, and the connection breaks before the reply. */
        REPLY_CUT,
        /** The store does it, and the reply never comes. */
        REPLY_TIMED_OUT,
        /** The request never reaches the store. */
        NOT_CONNECTED,
        /** The store refuses. */
        REFUSED,
        /** The store is a replica by now, and refuses. */
        READ_ONLY,
        /** The store does it, but its replicas do not follow. */
        UNACKNOWLEDGED,
        /** The store does it, but the reply stays in flight until {@link #deliver()}. */
        REPLY_HELD_BACK,
        /** The store is silent: the request never arrives, and fails at {@link #deliver()}. */
        REQUEST_FAILS_WHEN_DELIVERED,
        /** The request stays in flight until {@link #deliver()}, but times out for the caller. */
        REQUEST_LATE,
        /** The same, and the caller is told that the connection broke. */
        REQUEST_LATE_AND_CUT
    }

    public final MemoryStore server;
    public final Deque<Trouble> troubles = new ArrayDeque<>();
    public final List<String> log = new ArrayList<>();
    /** How much each acquire asked to be told. */
    public final List<AcquireRequest.Detail> details = new ArrayList<>();
    /** Whether a thread waits for each release. */
    public final List<CallMode> releaseModes = new ArrayList<>();

    public Trouble always = Trouble.NONE;
    /** Every holder is a foreign one for this server. */
    public boolean foreignHolder;
    /** Why this server grants nothing for a while, as after a failover with durable grants. */
    public Optional<String> quarantine = Optional.empty();
    /** Why this store holds nothing for longer than a minute, as one with a quarantine. */
    public Optional<String> longLeaseRefusal = Optional.empty();
    /** Something else that happens between an acquire on the server and its reply. */
    public Runnable afterAcquire = () -> {};
    /** Something else that happens between a renewal on the server and its reply. */
    public Runnable afterRenew = () -> {};

    private final Deque<Runnable> heldBack = new ArrayDeque<>();

    /** The grant channel of the client, which has its own faults. */
    public final TroubledChannel channel;

    public TroubledStore(KeyholdClock clock) {
        this(new MemoryStore(clock));
    }

    public TroubledStore(MemoryStore server) {
        this.server = server;
        this.channel = new TroubledChannel(server);
    }

    public void deliver() {
        while (!heldBack.isEmpty()) {
            heldBack.poll().run();
        }
    }

    /** Delivers what is in flight now, and not what is sent because of that. */
    public void deliverOnce() {
        for (int left = heldBack.size(); left > 0; left--) {
            heldBack.remove().run();
        }
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request, CallMode mode, Runnable sending) {
        sending.run();
        details.add(request.ifBusy().detail());
        return troubled("acquire " + String.join(" ", request.claim().keys()), () -> {
            CompletionStage<AcquireReply> reply = quarantine.isPresent()
                    ? inQuarantine()
                    : server.acquire(request, mode, () -> {}).thenApply(this::asForeign);
            afterAcquire.run();
            return reply;
        });
    }

    @Override
    public CompletionStage<HoldReply> release(ReleaseRequest request, CallMode mode) {
        releaseModes.add(mode);
        return troubled("release " + String.join(" ", request.claim().keys()), () -> server.release(request, mode));
    }

    @Override
    public Optional<String> refusal(Claim claim, long leaseMillis) {
        return leaseMillis > 60_000 ? longLeaseRefusal : Optional.empty();
    }

    @Override
    public CompletionStage<List<HoldReply>> renew(List<RenewRequest> requests, CallMode mode) {
        return StoreFailure.unless(refusal(requests), () -> renewed(requests, mode));
    }

    private CompletionStage<List<HoldReply>> renewed(List<RenewRequest> requests, CallMode mode) {
        return troubled("renew " + requests.size(), () -> {
            CompletionStage<List<HoldReply>> reply = server.renew(requests, mode);
            afterRenew.run();
            return reply;
        });
    }

    @Override
    public CompletionStage<LockSnapshot> look(String key, CallMode mode) {
        return server.look(key, mode);
    }

    @Override
    public CompletionStage<Optional<LockSnapshot>> lookAtPermits(String key, CallMode mode) {
        return server.lookAtPermits(key, mode);
    }

    @Override
    public CompletionStage<Integer> resize(String key, int said, int permits, CallMode mode) {
        return server.resize(key, said, permits, mode);
    }

    @Override
    public CompletionStage<Page> list(String pattern, String cursor, CallMode mode) {
        return server.list(pattern, cursor, mode);
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key, CallMode mode) {
        return server.forceRelease(key, mode);
    }

    @Override
    public CompletionStage<Optional<GrantSubscription>> openGrantChannel(GrantSubscription.Listener listener) {
        return channel.open(listener);
    }

    @Override
    public void close() {}

    private CompletionStage<AcquireReply> inQuarantine() {
        return CompletableFuture.completedStage(new AcquireReply.Busy(
                Optional.empty(),
                OptionalLong.of(500),
                OptionalLong.empty(),
                AcquireReply.HolderKind.KEYHOLD,
                quarantine));
    }

    private AcquireReply asForeign(AcquireReply reply) {
        return foreignHolder && reply instanceof AcquireReply.Busy busy
                ? new AcquireReply.Busy(
                        busy.holder(), busy.remainingMillis(), busy.atMicros(), AcquireReply.HolderKind.FOREIGN)
                : reply;
    }

    private <T> CompletionStage<T> troubled(String operation, Supplier<CompletionStage<T>> work) {
        log.add(operation);
        Trouble trouble = troubles.isEmpty() ? always : troubles.poll();
        switch (trouble) {
            case NONE -> {
                return work.get();
            }
            case REPLY_CUT -> {
                execute(work);
                return failed(true, new RedisConnectionException(Failure.CONNECTION_LOST, "cut", null));
            }
            case REPLY_TIMED_OUT -> {
                execute(work);
                return failed(true, new RedisConnectionException(Failure.TIMED_OUT, "no reply", null));
            }
            case NOT_CONNECTED -> {
                return failed(false, new RedisConnectionException(Failure.NOT_CONNECTED, "refused", null));
            }
            case REFUSED -> {
                return failed(false, new RedisErrorException("OOM no memory"));
            }
            case READ_ONLY -> {
                return failed(false, new RedisErrorException("READONLY You can't write against a read only replica."));
            }
            case UNACKNOWLEDGED -> {
                execute(work);
                return CompletableFuture.failedStage(new StoreRefusedException(
                        "troubled", "NOREPLICAS", new UnacknowledgedException("0 of 1 replicas", "NOREPLICAS", true)));
            }
            case REPLY_HELD_BACK -> {
                CompletableFuture<T> reply = new CompletableFuture<>();
                CompletionStage<T> done = work.get();
                heldBack.add(() -> done.thenAccept(reply::complete));
                return reply;
            }
            case REQUEST_FAILS_WHEN_DELIVERED -> {
                CompletableFuture<T> reply = new CompletableFuture<>();
                heldBack.add(() -> reply.completeExceptionally(new StoreUnavailableException(
                        "troubled", true, new RedisConnectionException(Failure.TIMED_OUT, "no reply", null))));
                return reply;
            }
            case REQUEST_LATE, REQUEST_LATE_AND_CUT -> {
                heldBack.add(() -> execute(work));
                Failure failure = trouble == Trouble.REQUEST_LATE ? Failure.TIMED_OUT : Failure.CONNECTION_LOST;
                return failed(true, new RedisConnectionException(failure, "no reply", null));
            }
        }
        throw new AssertionError(trouble);
    }

    /** The store does it; its reply is lost. */
    private static <T> void execute(Supplier<CompletionStage<T>> work) {
        work.get().toCompletableFuture().join();
    }

    private static <T> CompletionStage<T> failed(boolean unknown, RuntimeException cause) {
        return CompletableFuture.failedStage(
                cause instanceof RedisErrorException error
                        ? new StoreRefusedException("troubled", error.code(), error)
                        : new StoreUnavailableException("troubled", unknown, cause));
    }
}
