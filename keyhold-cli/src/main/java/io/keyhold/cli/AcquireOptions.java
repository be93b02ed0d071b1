package io.keyhold.cli;

import io.keyhold.AcquireTimeoutException;
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

/** The options of every command that acquires a lock: which lock, and how long to wait. */
final class AcquireOptions {

    private final Argument<Duration> wait;
    private final Argument<Boolean> noWait;
    private final Argument<Integer> of;
    private final Argument<Boolean> resize;
    private final Argument<Integer> permits;
    private final Argument<Boolean> shared;
    private final Argument<Boolean> exclusive;
    private final Argument<String> fair;

    /** Adds them to a command. */
    AcquireOptions(CliCommand command) {
        wait = command.duration(
                "--wait", "Wait at most this long for the lock, then exit with 202. Default: no limit.");
        noWait = command.flag("--no-wait", "Do not wait: exit with 201 if another process holds the lock.");
        of = command.number("--of", "M", "A semaphore with M permits instead of a lock.");
        resize = command.flag("--resize", "With --of: set the number of permits to M, for all clients.");
        permits = command.number("--permits", "N", "Acquire N permits of the semaphore. Default: 1.");
        shared = command.flag("--shared", "The read side of a read/write lock, shared with other readers.");
        exclusive = command.flag("--exclusive", "The write side of a read/write lock.");
        fair = command.text(
                "--fair", "ORDER", "strict (first come, first served, for all clients) or batched. Default: batched.");
    }

    /**
     * Checks that the options fit each other and the keys.
     *
     * @throws CliException if they do not
     */
    void check(List<String> keys) {
        boolean side = shared.isGiven() || exclusive.isGiven();
        CliException.refuse(wait.isGiven() && noWait.isGiven(), "--wait and --no-wait exclude each other");
        CliException.refuse(shared.isGiven() && exclusive.isGiven(), "--shared and --exclusive exclude each other");
        CliException.refuse(
                permits.isGiven() && !of.isGiven(),
                "--permits " + permits.get() + " needs --of M, the number of permits of the semaphore");
        CliException.refuse(resize.isGiven() && !of.isGiven(), "--resize needs --of M, the new number of permits");
        CliException.refuse(
                of.isGiven() && side, "--of selects a semaphore, which has no --shared or --exclusive side");
        CliException.refuse(
                keys.size() > 1 && (of.isGiven() || side),
                "--of, --shared and --exclusive need a single key, were given " + String.join(", ", keys));
        KeyRules.checkAcquirable(keys);
        fairness();
    }

    private Fairness fairness() {
        String order = fair.orElse("batched");
        return switch (order.toLowerCase(Locale.ROOT)) {
            case "strict" -> Fairness.STRICT;
            case "batched" -> Fairness.BATCHED;
            default -> throw CliException.usage("--fair must be strict or batched, was '" + order + "'");
        };
    }

    /** Acquires the lock or the permits, with a lease of this length. */
    Lease acquire(Keyhold keyhold, List<String> keys, Duration lease, boolean renew) throws InterruptedException {
        LockOptions.Builder builder =
                LockOptions.builder().lease(lease).renew(renew).fairness(fairness());
        if (noWait.isGiven() || wait.isGiven()) {
            builder.maxWait(wait.orElse(Duration.ZERO));
        }
        LockOptions options = builder.build();
        try {
            return of.isGiven()
                    ? permits(keyhold, keys.get(0), options)
                    : lock(keyhold, keys, options).acquire();
        } catch (AcquireTimeoutException e) {
            String holders = HolderText.of(keyhold, keys);
            throw noWait.isGiven()
                    ? new CliException(ExitCode.BUSY, "busy: " + holders, e)
                    : new CliException(
                            ExitCode.TIMED_OUT,
                            "timed out after " + Durations.text(wait.orElse(Duration.ZERO)) + ": " + holders,
                            e);
        }
    }

    private Lease permits(Keyhold keyhold, String key, LockOptions options) throws InterruptedException {
        int limit = of.orElse(1);
        DistributedSemaphore semaphore = keyhold.semaphore(
                key, SemaphoreOptions.builder().from(options).permits(limit).build());
        if (resize.isGiven()) {
            semaphore.resize(limit);
        }
        try {
            return semaphore.acquire(permits.orElse(1));
        } catch (SemaphoreLimitException e) {
            throw new CliException(
                    ExitCode.USAGE,
                    "semaphore '" + key + "' has " + e.permits() + " permits but --of is " + limit + "; use --of "
                            + e.permits() + ", or --resize to change it for all clients",
                    e);
        }
    }

    private DistributedLock lock(Keyhold keyhold, List<String> keys, LockOptions options) {
        if (shared.isGiven()) {
            return keyhold.readWriteLock(keys.get(0), options).readLock();
        }
        if (exclusive.isGiven()) {
            return keyhold.readWriteLock(keys.get(0), options).writeLock();
        }
        return keys.size() > 1 ? keyhold.allOf(keys, options) : keyhold.lock(keys.get(0), options);
    }
}
