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

/** What is to be held, and how long it is waited for: the options of every command that takes a lock. */
final class HoldOptions {

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "Wait so long for the" + " lock, then give up with exit code 202. Default: for ever.")
    @Nullable
    Duration wait;

    @Option(names = "--no-wait", description = "Do not wait: exit code 201 if somebody else holds it.")
    boolean noWait;

    @Option(names = "--of", paramLabel = "M", description = "A semaphore with M permits instead of a lock.")
    @Nullable
    Integer of;

    @Option(
            names = "--resize",
            description = "With --of: from now on there are M permits, for everybody, whatever was said before.")
    boolean resize;

    @Option(names = "--permits", paramLabel = "N", description = "Take N of the semaphore's permits. Default: 1.")
    @Nullable
    Integer permits;

    @Option(names = "--shared", description = "The read side of a read/write lock: beside others of the same kind.")
    boolean shared;

    @Option(names = "--exclusive", description = "The write side of a read/write lock: alone.")
    boolean exclusive;

    @Option(
            names = "--fair",
            paramLabel = "ORDER",
            description = "strict: first come, first served, everywhere. Default:" + " batched.")
    @Nullable
    String fair;

    /**
     * Whether all this can be done.
     *
     * @throws CliException if two of the options cannot go together
     */
    void check(List<String> keys) {
        refuse(wait != null && noWait, "--wait and --no-wait: give one of them");
        refuse(shared && exclusive, "--shared and --exclusive: give one of them");
        refuse(
                permits != null && of == null,
                "--permits " + permits + " needs --of M, the number of permits there are");
        refuse(resize && of == null, "--resize needs --of M, the number of permits there are to be");
        refuse(
                of != null && (shared || exclusive),
                "--of makes a semaphore, which has no --shared or --exclusive side");
        refuse(
                keys.size() > 1 && (of != null || shared || exclusive),
                "several keys (" + String.join(", ", keys)
                        + ") are several locks: not with --of, --shared or --exclusive");
        KeyRules.checkTaken(keys);
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
            default -> throw new CliException(ExitCode.USAGE, "--fair '" + fair + "': must be strict or batched");
        };
    }

    /** Takes it, with a lease of this length. */
    Lease take(Keyhold keyhold, List<String> keys, Duration lease, boolean renew) throws InterruptedException {
        Optional<Lease> taken =
                of != null ? permits(keyhold, keys.get(0), of, lease, renew) : lock(keyhold, keys, lease, renew);
        if (taken.isEmpty()) {
            throw busy(keyhold, keys);
        }
        return taken.get();
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
                    "'" + key + "' has " + e.permits() + " permits, not " + limit + ": say --of " + e.permits()
                            + ", or --resize to make it " + limit + " for everybody",
                    e);
        }
    }

    private Optional<Lease> permits(DistributedSemaphore semaphore, int wanted) throws InterruptedException {
        if (noWait) {
            return semaphore.tryAcquire(wanted);
        }
        return wait != null ? semaphore.tryAcquire(wanted, wait) : Optional.of(semaphore.acquire(wanted));
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
        String holders = Holders.of(keyhold, keys);
        return noWait
                ? new CliException(ExitCode.BUSY, "busy: " + holders)
                : new CliException(
                        ExitCode.TIMED_OUT,
                        "timed out after " + Durations.text(wait != null ? wait : Duration.ZERO) + ": " + holders);
    }
}
