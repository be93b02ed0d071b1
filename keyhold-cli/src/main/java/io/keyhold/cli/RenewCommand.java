package io.keyhold.cli;

import io.keyhold.DistributedReadWriteLock;
import io.keyhold.Keyhold;
import io.keyhold.Lease;
import io.keyhold.LeaseLostException;
import io.keyhold.LockOptions;
import io.keyhold.SemaphoreOptions;
import io.keyhold.inspect.LockSnapshot;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/** Extends the lease of a hold that an earlier call acquired. */
final class RenewCommand extends CliCommand {

    private final ServerOptions server = new ServerOptions(this, true);
    private final Argument<String> token = add(OptionSpec.builder("--token")
            .type(String.class)
            .required(true)
            .paramLabel("TOKEN")
            .description("The token that 'keyhold acquire' printed."));
    private final Argument<Duration> lease = duration("--lease", "The new lease, from now on. Default: 30s.");
    private final Argument<List<String>> keys = parameters("KEY", "All keys that were acquired.");

    RenewCommand() {
        super("Extends the lease of a hold of 'keyhold acquire'. Exits with 203 if the token does not hold the lock.");
        examples("  keyhold renew backup --token \"$token\" --lease 10m");
    }

    @Override
    public Integer call() {
        List<String> names = keys.orElse(List.of());
        Duration length = lease.orElse(LockOptions.DEFAULT_LEASE);
        KeyRules.checkReadable(names);
        try (Keyhold keyhold = server.connection().client("keyhold")) {
            Lease renewed =
                    adopt(keyhold, names, LockOptions.builder().lease(length).build());
            Diagnostics.detail("renewed for " + Durations.text(length) + ", fencing token " + renewed.fencingToken());
            renewed.handOff();
            return ExitCode.OK;
        } catch (LeaseLostException e) {
            throw new CliException(
                    ExitCode.LOST, "the token does not hold '" + String.join("', '", names) + "' any more", e);
        }
    }

    /** Adopts the hold, whose lease begins again with that. The server has the kind of the lock. */
    private Lease adopt(Keyhold keyhold, List<String> names, LockOptions options) {
        String held = token.orElse("");
        if (names.size() > 1) {
            return keyhold.allOf(names, options).adopt(held);
        }
        LockSnapshot lock = keyhold.inspect().lock(names.get(0));
        return switch (lock.kind()) {
            case LOCK -> keyhold.lock(lock.key(), options).adopt(held);
            case SEMAPHORE ->
                keyhold.semaphore(
                                lock.key(),
                                SemaphoreOptions.builder()
                                        .from(options)
                                        .permits(Math.max(1, lock.permits()))
                                        .joinExisting()
                                        .build())
                        .adopt(held);
            case READ_WRITE -> adopt(keyhold.readWriteLock(lock.key(), options), held);
        };
    }

    private static Lease adopt(DistributedReadWriteLock lock, String held) {
        try {
            return lock.readLock().adopt(held);
        } catch (LeaseLostException notTheReadSide) {
            return lock.writeLock().adopt(held);
        }
    }
}
