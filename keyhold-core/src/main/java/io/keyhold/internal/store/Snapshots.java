package io.keyhold.internal.store;

import io.keyhold.inspect.LockHolder;
import io.keyhold.inspect.LockKind;
import io.keyhold.inspect.LockMode;
import io.keyhold.inspect.LockSnapshot;
import io.keyhold.inspect.LockWaiter;
import io.keyhold.inspect.NodeSnapshot;
import io.keyhold.internal.TokenText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Builds the records of {@code io.keyhold.inspect} from what a store keeps. Keys are those of the store, with the client's
 * prefix; holders and waiters are at most the first {@link #MOST_SHOWN}.
 */
public final class Snapshots {

    /** More holders or waiters than this are counted, but not shown. */
    public static final int MOST_SHOWN = 100;

    private Snapshots() {}

    /** Builds the snapshot of a lock; {@code nodes} is empty unless it is on a quorum. */
    public static LockSnapshot ofLock(
            String key, Optional<LockHolder> holder, List<LockWaiter> queue, long waiting, List<NodeSnapshot> nodes) {
        int holding = holder.isPresent() ? 1 : 0;
        return new LockSnapshot(
                key, LockKind.LOCK, holder.stream().toList(), holding, 1, 1 - holding, queue, waiting, nodes);
    }

    /** Builds the snapshot of a semaphore, or of a read/write lock, which the limit tells apart. */
    public static LockSnapshot ofPermits(
            String key,
            int limit,
            long inUse,
            List<LockHolder> holders,
            long holding,
            List<QueuePlace> queue,
            long waiting) {
        LockKind kind = kind(limit);
        int permits = kind == LockKind.SEMAPHORE ? limit : 1;
        long free = permits - (kind == LockKind.SEMAPHORE ? inUse : holding);
        return new LockSnapshot(
                key,
                kind,
                holders,
                holding,
                permits,
                (int) Math.max(0, free),
                waiters(kind, queue),
                waiting,
                List.of());
    }

    /** Returns what something with this many permits is. */
    public static LockKind kind(int limit) {
        return limit == Limit.READ_WRITE ? LockKind.READ_WRITE : LockKind.SEMAPHORE;
    }

    /** Returns what a claim is of. */
    public static LockKind kind(Claim claim) {
        return claim instanceof Claim.Permits permits ? kind(permits.limit().permits()) : LockKind.LOCK;
    }

    /** Returns whether a claim is to hold alone. */
    public static LockMode mode(Claim claim) {
        return mode(kind(claim), claim.permits());
    }

    /** Returns how many permits of a semaphore a claim is for; 1 for everything else. */
    public static int permits(Claim claim) {
        return shownPermits(kind(claim), claim.permits());
    }

    /**
     * Builds the record of a hold.
     *
     * @param permits the permits that it takes; 1 for a lock
     * @param remainingMillis when it ends unless it is renewed; empty if never
     * @param grant what Keyhold wrote when it granted the hold; empty if the holder is foreign
     */
    public static LockHolder holder(
            LockKind kind, String token, int permits, OptionalLong remainingMillis, Optional<LockValue> grant) {
        Optional<TokenText.Origin> origin = TokenText.read(token);
        return new LockHolder(
                token,
                mode(kind, permits),
                shownPermits(kind, permits),
                origin.isEmpty() && grant.isEmpty(),
                origin.map(TokenText.Origin::clientName),
                origin.map(TokenText.Origin::host),
                processId(origin),
                grant.map(known -> OptionalLong.of(known.fencingToken())).orElse(OptionalLong.empty()),
                grant.map(known -> Instant.EPOCH.plus(known.sinceMicros(), ChronoUnit.MICROS)),
                remainingMillis.isPresent()
                        ? Optional.of(Duration.ofMillis(remainingMillis.getAsLong()))
                        : Optional.empty());
    }

    /** Builds the records of a queue's entries. */
    public static List<LockWaiter> waiters(LockKind kind, List<QueuePlace> queue) {
        return queue.stream().map(place -> waiter(kind, place)).toList();
    }

    private static LockWaiter waiter(LockKind kind, QueuePlace place) {
        Optional<TokenText.Origin> origin = TokenText.read(place.token());
        return new LockWaiter(
                place.token(),
                mode(kind, place.permits()),
                shownPermits(kind, place.permits()),
                origin.map(TokenText.Origin::clientName),
                origin.map(TokenText.Origin::host),
                processId(origin),
                Instant.ofEpochMilli(place.sinceMillis()));
    }

    private static LockMode mode(LockKind kind, int permits) {
        return kind == LockKind.LOCK || permits == Limit.READ_WRITE ? LockMode.EXCLUSIVE : LockMode.SHARED;
    }

    private static int shownPermits(LockKind kind, int permits) {
        return kind == LockKind.SEMAPHORE ? permits : 1;
    }

    private static OptionalLong processId(Optional<TokenText.Origin> origin) {
        return origin.map(known -> OptionalLong.of(known.processId())).orElse(OptionalLong.empty());
    }
}
