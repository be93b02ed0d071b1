package io.keyhold.cli;

import io.keyhold.DistributedLock;
import io.keyhold.DistributedSemaphore;
import io.keyhold.Fairness;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreLimitException;
import io.keyhold.SemaphoreOptions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that acquires a lock: which lock, and how long to wait. */
final class AcquireOptions {

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "Wait at most this long for the lock, then exit with 202. Default: no limit.")
    @Nullable
    Duration wait;

    @Option(names = "--no-wait", description = "Do not wait: exit with 201 if another process holds the lock.")
    boolean noWait;

    @Option(names = "--of", paramLabel = "M", description = "A semaphore with M permits instead of a lock.")
    @Nullable
    Integer of;

    @Option(names = "--resize", description = "With --of: set the number of permits to M, for all clients.")
    boolean resize;

    @Option(names = "--permits", paramLabel = "N", description = "Acquire N permits of the semaphore. Default: 1.")
    @Nullable
    Integer permits;

    @Option(names = "--shared", description = "The read side of a read/write lock, shared with other readers.")
    boolean shared;

    @Option(names = "--exclusive", description = "The write side of a read/write lock.")
    boolean exclusive;

    @Option(
            names = "--fair",
            paramLabel = "ORDER",
            description = "strict (first come, first served, for all clients) or batched. Default: batched.")
    @Nullable
    String fair;

    /**
     * Checks that the options fit each other and the keys.
     *
     * @throws CliException if they do not
     */
    void check(List<String> keys) {
        refuse(wait != null && noWait, "--wait and --no-wait exclude each other");
        refuse(shared && exclusive, "--shared and --exclusive exclude each other");
        refuse(
                permits != null && of == null,
                "--permits " + permits + " needs --of M, the number of permits of the semaphore");
        refuse(resize && of == null, "--resize needs --of M, the new number of permits");
        refuse(
                of != null && (shared || exclusive),
                "--of selects a semaphore, which has no --shared or --exclusive side");
        refuse(
                keys.size() > 1 && (of != null || shared || exclusive),
                "--of, --shared and --exclusive need a single key, were given " + String.join(", ", keys));
        KeyRules.checkAcquirable(keys);
        fairness();
    }

    private static void refuse(boolean wrong, String rule) {
        if (wrong) {
            throw new CliException(ExitCode.USAGE, rule);
        }
    }

    private Fairness fairness() {
        if (fair == null) {
            return Fairness.BATCHED;
        }
        return switch (fair.toLowerCase(Locale.ROOT)) {
            case "strict" -> Fairness.STRICT;
            case "batched" -> Fairness.BATCHED;
            default -> throw new CliException(ExitCode.USAGE, "--fair must be strict or batched, was '" + fair + "'");
        };
    }

    /** Acquires the lock or the permits, with a lease of this length. */
    Lease acquire(Keyhold keyhold, List<String> keys, Duration lease, boolean renew) throws InterruptedException {
        Optional<Lease> acquired =
                of != null ? permits(keyhold, keys.get(0), of, lease, renew) : lock(keyhold, keys, lease, renew);
        return acquired.orElseThrow(() -> busy(keyhold, keys));
    }

    private Optional<Lease> permits(Keyhold keyhold, String key, int limit, Duration lease, boolean renew)
            throws InterruptedException {
        DistributedSemaphore semaphore = keyhold.semaphore(
                key,
                SemaphoreOptions.builder()
                        .permits(limit)
                        .lease(lease)
                        .renew(renew)
                        .build());
        if (resize) {
            semaphore.resize(limit);
        }
        try {
            return permits(semaphore, permits != null ? permits : 1);
        } catch (SemaphoreLimitException e) {
            throw new CliException(
                    ExitCode.USAGE,
                    "semaphore '" + key + "' has " + e.permits() + " permits but --of is " + limit + "; use --of "
                            + e.permits() + ", or --resize to change it for all clients",
                    e);
        }
    }

    private Optional<Lease> permits(DistributedSemaphore semaphore, int count) throws InterruptedException {
        if (noWait) {
            return semaphore.tryAcquire(count);
        }
        return wait != null ? semaphore.tryAcquire(count, wait) : Optional.of(semaphore.acquire(count));
    }

    private Optional<Lease> lock(Keyhold keyhold, List<String> keys, Duration lease, boolean renew)
            throws InterruptedException {
        DistributedLock lock = lock(
                keyhold,
                keys,
                LockOptions.builder()
                        .lease(lease)
                        .renew(renew)
                        .fairness(fairness())
                        .build());
        if (noWait) {
            return lock.tryAcquire();
        }
        return wait != null ? lock.tryAcquire(wait) : Optional.of(lock.acquire());
    }

    private DistributedLock lock(Keyhold keyhold, List<String> keys, LockOptions options) {
        if (shared) {
            return keyhold.readWriteLock(keys.get(0), options).readLock();
        }
        if (exclusive) {
            return keyhold.readWriteLock(keys.get(0), options).writeLock();
        }
        return keys.size() > 1 ? keyhold.allOf(keys, options) : keyhold.lock(keys.get(0), options);
    }

    private CliException busy(Keyhold keyhold, List<String> keys) {
        String holders = HolderText.of(keyhold, keys);
        return noWait
                ? new CliException(ExitCode.BUSY, "busy: " + holders)
                : new CliException(
                        ExitCode.TIMED_OUT,
                        "timed out after " + Durations.text(wait != null ? wait : Duration.ZERO) + ": " + holders);
    }
}
