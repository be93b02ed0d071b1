package io.keyhold.internal.simulation;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.internal.store.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Thinks of something to want. */
final class Wants {

    /** As many as the semaphore has. */
    static final int PERMITS = 3;

    private final Simulation world;
    private final Scenario.Kind kind;
    private final long longestLease;
    private final boolean calm;
    private final boolean losesLocks;

    Wants(Simulation world, Scenario scenario, long longestLease) {
        this.world = world;
        this.kind = scenario.kind();
        this.longestLease = longestLease;
        this.calm = scenario.faults().isEmpty();
        this.losesLocks = scenario.losesLocks();
    }

    /** How many can be out at a time. */
    int limit() {
        return switch (kind) {
            case SEMAPHORE -> PERMITS;
            case READ_WRITE -> Limit.READ_WRITE;
            case QUORUM, MUTEX, ALL_OF -> 1;
        };
    }

    boolean mayHoldTooLong() {
        return !calm;
    }

    Want next(SimulatedClient client) {
        Keyhold keyhold = client.keyhold();
        return switch (kind) {
            case QUORUM ->
                world.chance(0.1)
                        ? of(keyhold.allOf(List.of("a", "b"), options()), 1, List.of("a", "b"))
                        : of(keyhold.lock("a", options()), 1, List.of("a"));
            case MUTEX -> of(keyhold.lock("a", options()), 1, List.of("a"));
            case SEMAPHORE -> permits(keyhold, (int) world.between(1, PERMITS + 1));
            case READ_WRITE ->
                world.chance(0.6)
                        ? of(keyhold.readWriteLock("a", options()).readLock(), 1, List.of("a"))
                        : of(keyhold.readWriteLock("a", options()).writeLock(), Limit.READ_WRITE, List.of("a"));
            case ALL_OF -> severalOrOne(keyhold);
        };
    }

    private Want severalOrOne(Keyhold keyhold) {
        List<List<String>> sets = List.of(
                List.of("a"),
                List.of("b"),
                List.of("a", "b"),
                List.of("b", "c"),
                List.of("a", "c"),
                List.of("a", "b", "c"));
        List<String> keys = sets.get(world.random().nextInt(sets.size()));
        return of(keys.size() == 1 ? keyhold.lock(keys.get(0), options()) : keyhold.allOf(keys, options()), 1, keys);
    }

    private LockOptions options() {
        LockOptions.Builder options =
                LockOptions.builder().lease(lease()).renew(world.random().nextBoolean());
        // Whatever is passed inside a client whose lock is gone has smaller tokens than those of later grants.
        if (kind != Scenario.Kind.QUORUM && (losesLocks || world.chance(0.3))) {
            options.fairness(Fairness.STRICT);
        }
        if (!calm && world.chance(0.1)) {
            options.retries(10).retryInterval(Duration.ofMillis(world.between(20, 300)));
        }
        return options.build();
    }

    private Duration lease() {
        return Duration.ofMillis(calm ? longestLease : world.between(longestLease / 4, longestLease + 1));
    }

    /** Some have so little time that it is often up just when they are granted what they want. */
    private Duration someTime() {
        return Duration.ofMillis(world.between(1, world.chance(0.5) ? 300 : 5_000));
    }

    private Want of(DistributedLock lock, int permits, List<String> keys) {
        LockOptions options = lock.options();
        long lease = options.lease().orElseThrow().toMillis();
        int way = world.random().nextInt(10);
        boolean waits = way > 0;
        boolean queues = waits && options.retries().isEmpty();
        boolean passes = kind == Scenario.Kind.QUORUM || options.fairness() == Fairness.BATCHED;
        Optional<Duration> maxWait = way <= 3 ? Optional.of(someTime()) : Optional.empty();
        return new Want(keys, permits, waits, lease, options.isRenewed(), maxWait, queues, passes, () -> switch (way) {
            case 0 -> lock.tryAcquireAsync();
            case 1, 2, 3 -> lock.tryAcquireAsync(maxWait.orElseThrow());
            default -> leased(lock.acquireAsync());
        });
    }

    private Want permits(Keyhold keyhold, int permits) {
        SemaphoreOptions options = SemaphoreOptions.builder()
                .permits(PERMITS)
                .lease(lease())
                .renew(world.random().nextBoolean())
                .build();
        DistributedSemaphore semaphore = keyhold.semaphore("a", options);
        int way = world.random().nextInt(10);
        Optional<Duration> maxWait = way <= 3 ? Optional.of(someTime()) : Optional.empty();
        return new Want(
                List.of("a"),
                permits,
                way > 0,
                options.lease().toMillis(),
                options.isRenewed(),
                maxWait,
                way > 0,
                false,
                () -> switch (way) {
                    case 0 -> semaphore.tryAcquireAsync(permits);
                    case 1, 2, 3 -> semaphore.tryAcquireAsync(permits, maxWait.orElseThrow());
                    default -> leased(semaphore.acquireAsync(permits));
                });
    }

    /** Cancelling it cancels the request. */
    private static CompletableFuture<Optional<Lease>> leased(CompletableFuture<Lease> request) {
        CompletableFuture<Optional<Lease>> user = request.thenApply(Optional::of);
        user.whenComplete((lease, failure) -> {
            if (user.isCancelled()) {
                request.cancel(false);
            }
        });
        return user;
    }
}
