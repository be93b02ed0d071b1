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

/** Chooses the next operation of a worker, at random. */
final class Workload {

    /** As many as the semaphore has. */
    static final int PERMITS = 3;

    private static final long LONGEST_REST_MILLIS = 800;

    private final Simulation simulation;
    private final Scenario.Kind kind;
    private final long longestLease;
    private final boolean calm;
    private final boolean losesLocks;

    Workload(Simulation simulation, Scenario scenario, long longestLease) {
        this.simulation = simulation;
        this.kind = scenario.kind();
        this.longestLease = longestLease;
        this.calm = scenario.faults().isEmpty();
        this.losesLocks = scenario.losesLocks();
    }

    /** Returns how many can be held at a time. */
    int limit() {
        return switch (kind) {
            case SEMAPHORE -> PERMITS;
            case READ_WRITE -> Limit.READ_WRITE;
            case QUORUM, MUTEX, ALL_OF, DURABLE -> 1;
        };
    }

    boolean mayHoldTooLong() {
        return !calm;
    }

    /** A former master must be asked to renew for longer than a quarantine lasts. */
    int longestHoldInLeases() {
        return kind == Scenario.Kind.DURABLE ? 5 : 2;
    }

    Operation next(SimulatedClient client) {
        Keyhold keyhold = client.keyhold();
        return switch (kind) {
            case QUORUM ->
                simulation.chance(0.1)
                        ? of(keyhold.allOf(List.of("a", "b"), options()), 1, List.of("a", "b"))
                        : of(keyhold.lock("a", options()), 1, List.of("a"));
            case MUTEX, DURABLE -> of(keyhold.lock("a", options()), 1, List.of("a"));
            case SEMAPHORE -> permits(keyhold, (int) simulation.between(1, PERMITS + 1));
            case READ_WRITE ->
                simulation.chance(0.6)
                        ? of(keyhold.readWriteLock("a", options()).readLock(), 1, List.of("a"))
                        : of(keyhold.readWriteLock("a", options()).writeLock(), Limit.READ_WRITE, List.of("a"));
            case ALL_OF -> severalOrOne(keyhold);
        };
    }

    private Operation severalOrOne(Keyhold keyhold) {
        List<List<String>> sets = List.of(
                List.of("a"),
                List.of("b"),
                List.of("a", "b"),
                List.of("b", "c"),
                List.of("a", "c"),
                List.of("a", "b", "c"));
        List<String> keys = sets.get(simulation.random().nextInt(sets.size()));
        return of(keys.size() == 1 ? keyhold.lock(keys.get(0), options()) : keyhold.allOf(keys, options()), 1, keys);
    }

    private LockOptions options() {
        LockOptions.Builder options =
                LockOptions.builder().lease(lease()).renew(simulation.random().nextBoolean());
        // Local hand-overs in a client that has lost the lock have smaller tokens than later grants.
        if (kind != Scenario.Kind.QUORUM && (losesLocks || simulation.chance(0.3))) {
            options.fairness(Fairness.STRICT);
        }
        if (!calm && simulation.chance(0.1)) {
            options.retries(10).retryInterval(Duration.ofMillis(simulation.between(20, 300)));
        }
        return options.build();
    }

    /** How long the key is to stay taken after a hold, if it is. */
    Optional<Duration> rest() {
        return simulation.chance(0.25)
                ? Optional.of(Duration.ofMillis(simulation.between(1, LONGEST_REST_MILLIS)))
                : Optional.empty();
    }

    private Duration lease() {
        return Duration.ofMillis(calm ? longestLease : simulation.between(longestLease / 4, longestLease + 1));
    }

    /** Some deadlines are so short that they often pass just when the lock is granted. */
    private Duration someTime() {
        return Duration.ofMillis(simulation.between(1, simulation.chance(0.5) ? 300 : 5_000));
    }

    private Operation of(DistributedLock lock, int permits, List<String> keys) {
        LockOptions options = lock.options();
        long lease = options.lease().orElseThrow().toMillis();
        int way = simulation.random().nextInt(10);
        boolean waits = way > 0;
        boolean queues = waits && options.retries().isEmpty();
        boolean passes = kind == Scenario.Kind.QUORUM || options.fairness() == Fairness.BATCHED;
        Optional<Duration> maxWait = way <= 3 ? Optional.of(someTime()) : Optional.empty();
        return new Operation(keys, permits, waits, lease, options.renew(), maxWait, queues, passes, () -> switch (way) {
            case 0 -> lock.tryAcquireAsync();
            case 1, 2, 3 -> lock.tryAcquireAsync(maxWait.orElseThrow());
            default -> leased(lock.acquireAsync());
        });
    }

    private Operation permits(Keyhold keyhold, int permits) {
        SemaphoreOptions options = SemaphoreOptions.builder()
                .permits(PERMITS)
                .lease(lease())
                .renew(simulation.random().nextBoolean())
                .build();
        DistributedSemaphore semaphore = keyhold.semaphore("a", options);
        int way = simulation.random().nextInt(10);
        Optional<Duration> maxWait = way <= 3 ? Optional.of(someTime()) : Optional.empty();
        return new Operation(
                List.of("a"),
                permits,
                way > 0,
                options.lease().orElseThrow().toMillis(),
                options.renew(),
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
